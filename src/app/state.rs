//! The state of the running program.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::cursor::TextPane;
use super::custom_keys::Keymap;
use super::history::{History, Trail};
use super::layout::Pane;
use super::message::ViewExport;
use super::resource::Versions;
use super::screen::{
    DocsState, GroupsState, LearnState, NearState, Review, SimilarState, TablesState, Titles,
    TuneState,
};
use super::{Effect, JobNumber, Overlay, Purpose, Resource, Screen, Size, ViewId, query};
use crate::analysis::alike::Alike;
use crate::analysis::inspection::Inspection;
use crate::analysis::{Analysis, Assessment, Job, Settings};
use crate::corpus::KeptCorpus;
use crate::explain::triage::Finding;
use crate::id::DocId;
use crate::index::{GroupTotals, Groups, Layout, Linkage, default_layout};
use crate::number::{counted, grouped};
use crate::simhash::{Recipe, Votes};
use crate::text::visible;

/// The options with which the program was started.
#[derive(Clone, Debug)]
pub struct StartOptions {
    /// The terminal's size.
    pub size: Size,
    /// The approximate limit on the time of a comparison of two texts; a comparison that reaches it is coarser.
    pub compare_within: Option<Duration>,
    /// The index that may stand for inputs.
    pub index: Option<Arc<KeptCorpus>>,
    /// The inputs, if they were read already.
    pub read: Option<Arc<Analysis>>,
}

/// The most cells of a row of text, since longer rows are hard to read.
const LONGEST_ROW: usize = 120;

/// A running analysis.
#[derive(Clone, Debug)]
pub struct RunningAnalysis {
    /// Its number.
    pub number: JobNumber,
    /// Its progress, and the way to stop it.
    pub job: Arc<Job>,
    /// Whether it reads the inputs, which can be done only once.
    pub loads: bool,
    /// The recipe of the analysis.
    pub recipe: Recipe,
}

/// The interactive program. The default one has no corpus and no room; `App::new` begins a real one.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct App {
    /// The terminal's size.
    pub size: Size,
    /// The screen that is shown.
    pub screen: Screen,
    /// The shown view of each screen.
    pub(super) views: [ViewId; Screen::ALL.len()],
    /// The keys of each view.
    pub keymap: Keymap,
    /// The places to which Esc goes back.
    pub(super) trail: Trail,
    /// The panel over the screen.
    pub overlay: Option<Overlay>,
    /// The newest snapshot of the analysis.
    pub analysis: Arc<Analysis>,
    /// The settings that the user chose; the analysis follows them.
    pub settings: Settings,
    /// The name of the corpus.
    pub title: String,
    /// The Docs screen.
    pub docs: DocsState,
    /// The Pair screen.
    pub near: NearState,
    /// The similarities of listed documents to one of them.
    pub similar: SimilarState,
    /// The Tables screen.
    pub tables: TablesState,
    /// The groups that the Docs screen lists.
    pub groups: GroupsState,
    /// The Tune screen.
    pub tune: TuneState,
    /// The Learn screen.
    pub learn: LearnState,
    /// The shown view, if it is a page of sections.
    pub page: TextPane,
    /// The selected document, with its text and votes.
    pub document: Resource<query::DocumentQuery>,
    /// The choices that can be undone.
    pub(super) history: History,
    /// The review: the documents that are dropped.
    pub review: Review,
    /// The titles of the documents that lists show.
    pub titles: Titles,
    /// A line for the user, until the next key, or until it ends by itself.
    pub notice: Option<String>,
    /// The time since the program began when the notice ends by itself; `None` for a question or a problem.
    pub notice_ends: Option<Duration>,
    /// Whether the notice of the present message stays until the next key.
    pub(super) notice_stays: bool,
    /// The time since the program began. The terminal layer sets it, because `app` knows no clock.
    pub now: Duration,
    /// The request that writes the view to a file.
    pub exporting: Option<ViewExport>,
    /// The running analysis.
    pub running: Option<RunningAnalysis>,
    /// Whether `^C` was just pressed, so that the next `^C` leaves.
    pub leaving: bool,
    /// Whether leaving waits for a second press of its key, because it would lose work.
    pub(super) asks_to_quit: bool,
    /// The lines that were typed and taken, the newest last.
    pub(super) typed: Vec<(Purpose, String)>,
    /// The reasons why labels could not be saved, each once; they are shown again on leaving.
    pub lost_labels: Vec<String>,
    /// The reason why the program must end.
    pub failure: Option<String>,
    /// Whether the program captures the mouse.
    pub mouse: bool,
    /// Counts ticks, for the spinner.
    pub ticks: usize,
    /// A comparison of two texts takes no longer than about this.
    pub(super) compare_within: Option<Duration>,
    /// The work that the present message asks for.
    pub(super) effects: Vec<Effect>,
    pub(super) next_number: JobNumber,
    /// Whether settings wait for the corpus to be read.
    pub(super) pending: bool,
    /// The versions of the parts of the state that queries read.
    pub(super) versions: Versions,
}

impl App {
    /// The shown view, which gets the keys.
    pub fn view(&self) -> ViewId {
        match self.shown(self.screen) {
            ViewId::Tune if self.tune.label.is_blind && self.tune.label.judging.is_some() => {
                ViewId::Judging
            }
            view => view,
        }
    }

    /// The view that a screen shows when it is shown.
    pub fn shown(&self, screen: Screen) -> ViewId {
        self.views[screen as usize]
    }

    /// Shows the user a line, until the next key or until it ends by itself.
    pub(super) fn say(&mut self, notice: impl Into<String>) {
        self.notice = Some(notice.into());
    }

    /// Shows a view and its screen, unless it is about one corpus and there is a reference.
    pub fn show(&mut self, view: ViewId) {
        if self.has_reference() && matches!(view, ViewId::Layouts | ViewId::Recipes) {
            return self.say("this view is about one corpus; start without --reference");
        }
        self.screen = view.screen();
        self.views[view.screen() as usize] = view;
    }

    /// The k of Learn's pictures: the open lesson's, else the program's.
    pub fn learn_k(&self) -> u32 {
        let page = self.learn.lessons.open_page();
        page.and_then(|page| page.setup.k).unwrap_or(self.settings.k)
    }

    /// The width of Learn's pictures in bits: that of the open lesson, else that of the program.
    pub fn learn_bits(&self) -> u32 {
        let page = self.learn.lessons.open_page();
        page.map_or(self.settings.recipe.bits, |page| page.setup.recipe.bits)
    }

    /// Whether an answer is expected: of an analysis, a query, or the file of labels.
    pub fn is_busy(&self) -> bool {
        let runs = self.running.is_some() || self.background().any(|it| it.running().is_some());
        runs || self.tune.label.is_reading
    }

    /// Whether a query of this name runs.
    pub fn awaits(&self, name: &str) -> bool {
        self.background().any(|it| it.running().is_some_and(|(of, _)| of == name))
    }

    /// Whether the text of the selected document, or the texts of the pair, are being read: their pane is empty.
    pub fn awaits_texts(&self) -> bool {
        self.document.is_running() || self.near.texts.is_running()
    }

    /// Whether the screen changes without keys, so that ticks are needed: work runs.
    pub fn moves(&self) -> bool {
        let counts = self.background().any(|it| it.is_long() && it.running().is_some());
        self.running.is_some() || counts
    }

    /// The estimates by the labels, if they are computed and any label is about a pair of this corpus.
    pub fn judged(&self) -> Option<&Assessment> {
        let state = &self.tune.label;
        state.pairs.as_ref()?;
        let assessed = state.assessed.answer()?;
        (assessed.counts.judgements > 0).then_some(assessed)
    }

    /// The texts that can go at a recommended k, if it is known and not the present one.
    pub fn at_precise_k(&self) -> Option<String> {
        let tuning = self.tune.distances.tuning.as_ref()?;
        let k = tuning.precise().filter(|&k| k != self.settings.k)?;
        let row = tuning.rows.get(k as usize)?;
        let (drops, is_exact) = row.drops()?;
        let up_to = if is_exact { "" } else { "up to " };
        Some(format!("at {}: {up_to}{} can go", counted(k.into(), "bit"), grouped(drops)))
    }

    /// The condition of a true pair where layouts are measured, in words.
    pub fn truth_of_layouts(&self) -> String {
        let tau = self.tune.layouts.tau;
        Alike { tau, ..self.settings.alike }.describe(&self.settings.recipe)
    }

    /// The id of a document as it is shown.
    pub(super) fn shown_id(&self, document: DocId) -> String {
        visible(self.analysis.corpus.id(document)).into_owned()
    }

    /// The document of the selected row of Docs, which is the query of Pair and Tables.
    pub fn query(&self) -> Option<DocId> {
        if self.lists_groups() {
            self.groups.selected().and_then(|row| self.groups.document(row))
        } else {
            self.docs.selected()
        }
    }

    /// The document that keys mark and hold: on Pair the selected neighbour.
    pub(super) fn marked_row(&self) -> Option<DocId> {
        match self.screen {
            Screen::Pair => self.near.selected().map(|neighbour| neighbour.document),
            _ => self.query(),
        }
    }

    /// The groups at the present k by the chosen linkage, if they are known.
    pub fn linked_groups(&self) -> Option<&Arc<Groups>> {
        let Some(wanted) = self.wanted_groups() else { return self.analysis.groups.as_ref() };
        let linked = &self.groups.linked;
        let (_, groups) = linked.answered().filter(|(asked, _)| **asked == wanted)?;
        groups.as_ref().filter(|_| linked.is_current(&self.versions))
    }

    /// The groups to ask for; `None` if they are those of the analysis: single linkage of all pairs.
    pub(super) fn wanted_groups(&self) -> Option<query::LinkedGroups> {
        let (linkage, not_duplicates) = (self.groups.linkage, self.ignored());
        (linkage == Linkage::Complete || !not_duplicates.is_empty()).then(|| query::LinkedGroups {
            linkage,
            not_duplicates: not_duplicates.clone(),
            knows_texts: self.analysis.equal_texts.is_some(),
        })
    }

    /// The pairs that make no group because they are marked as no duplicates.
    pub fn ignored(&self) -> &BTreeSet<[DocId; 2]> {
        const NONE: &BTreeSet<[DocId; 2]> = &BTreeSet::new();
        if self.review.all_pairs { NONE } else { &self.review.rule.marks.not_duplicates }
    }

    /// The number and the sizes of the groups. With single linkage they are known before the groups.
    pub fn group_totals(&self) -> Option<GroupTotals> {
        if self.wanted_groups().is_none() {
            return self.analysis.totals().map(|totals| totals.groups);
        }
        self.linked_groups().map(|groups| groups.totals())
    }

    /// The inspected document, if it is the selected one.
    pub fn open_document(&self) -> Option<&Inspection> {
        let open = self.document.answer();
        open.map(|open| &**open).filter(|open| Some(open.document) == self.query())
    }

    /// The selected document's votes, if they were counted under the present recipe.
    pub fn open_votes(&self) -> Option<&Votes> {
        self.open_bits()?.votes.as_ref()
    }

    /// The layout of the present tables; before there are tables, the layout that they will have.
    pub fn layout(&self) -> Cow<'_, Layout> {
        if let Some(index) = &self.analysis.index {
            return Cow::Borrowed(index.layout());
        }
        let settings = &self.analysis.settings;
        let layout = settings.layout(self.analysis.len());
        Cow::Owned(layout.unwrap_or_else(|_| default_layout(0, settings.recipe.bits, settings.k)))
    }

    /// Rows of the list of Docs; on another screen those that it has at most.
    pub fn docs_rows(&self) -> usize {
        match self.view() {
            ViewId::Docs => self.page_rows(),
            _ => self.size.body().saturating_sub(1),
        }
    }

    /// The inspection of the selected document, if its votes were counted under the present recipe.
    pub fn open_bits(&self) -> Option<&Arc<Inspection>> {
        let open = self.document.answer().filter(|open| Some(open.document) == self.query())?;
        (open.recipe == self.analysis.settings.recipe).then_some(open)
    }

    /// The known reasons why distances of the inspected document may mislead.
    pub fn open_findings(&self) -> Vec<Finding> {
        let Some(open) = self.open_bits() else { return Vec::new() };
        let flags = self.analysis.flags.as_ref();
        open.findings(flags.and_then(|flags| flags.common(open.document)))
    }

    /// The distance up to which the tables guarantee to find all pairs, at most k.
    pub fn sure_distance(&self) -> u32 {
        self.layout().guarantee().min(self.settings.k)
    }

    /// Cells of the preview's text.
    pub fn preview_width(&self) -> usize {
        match self.text_pane().inside().width {
            0 => (self.size.width as usize).saturating_sub(2),
            cells => cells.saturating_sub(2).min(LONGEST_ROW),
        }
    }

    /// The part that shows the text of the selected document.
    pub fn text_pane(&self) -> Pane {
        self.page_for(self.size).text_pane(self.size)
    }

    pub(super) fn number(&mut self) -> JobNumber {
        self.next_number += 1;
        self.next_number - 1
    }
}
