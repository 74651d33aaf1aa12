//! The actions that keys ask for, and their names in the configuration.

use strum::IntoStaticStr;

use crate::app::Screen;
use crate::verdict::Verdict;

/// An action that a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    /// Open the list of keys.
    Help,
    /// Open the menu.
    Menu,
    /// Leave the program.
    Quit,
    /// Go one step back.
    Back,
    /// Stop the running job; leave if pressed twice.
    Stop,
    /// Stop the process until it is continued.
    Suspend,
    /// Go back to the choices before the last one.
    Undo,
    /// Redo what was undone.
    Redo,
    /// Redraw everything.
    Redraw,
    /// Turn mouse capture on or off.
    Mouse,
    /// Go to a screen.
    Go(Screen),
    /// List all texts instead of groups, or groups again.
    AllTexts,
    /// Show the votes behind the bits.
    Votes,
    /// Move the selection by rows.
    Step(isize),
    /// Move the selection by half screens.
    HalfPage(isize),
    /// Move the selection by screens.
    Page(isize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// Open the row under the cursor, or begin the work of the view.
    Enter,
    /// Move sideways.
    Sideways(isize),
    /// Ask for a word to find.
    Find,
    /// The next or previous match or difference.
    FindNext(isize),
    /// The next order of the list.
    Sort,
    /// Reverse the order of the list.
    Reverse,
    /// Ask for a filter.
    Filter,
    /// Name the fields to show as columns.
    Fields,
    /// Show bits as glyphs, or as 0 and 1.
    Bits,
    /// Mark the document under the cursor: kept, dropped, or neither.
    Mark,
    /// Mark two documents as no duplicates of each other.
    NoDuplicates,
    /// The next policy, which decides the documents to keep.
    Policy,
    /// Ask for a policy.
    TypePolicy,
    /// Write the outcome of the review.
    Write,
    /// Scroll the text.
    Scroll(isize),
    /// Make the selected neighbour the query.
    Follow,
    /// One probe of the search forwards or back.
    Probe(isize),
    /// To the next table that hits.
    NextHit,
    /// Change the linkage of groups: single or complete.
    Linkage,
    /// Open the recipe.
    Recipe,
    /// The next view of the screen, or the one before.
    View(isize),
    /// Give the keys to the other part of the view.
    OtherPart,
    /// Raise or lower k.
    K(i32),
    /// Go to the problems on Check.
    Problems,
    /// Copy the document's id.
    Copy,
    /// Choose something to copy.
    CopyMore,
    /// Write the view to a file.
    Export,
    /// Open the document in the user's editor.
    Editor,
    /// Open the document's text in the user's pager.
    Pager,
    /// Judge the current pair.
    Say(Verdict),
    /// Skip the current pair in this session.
    Skip,
    /// Take back the last answer.
    TakeBack,
    /// Judge a batch of pairs whose distances are hidden.
    Judge,
    /// Show each k, by the texts or by the judgements, or the pairs that the next bit adds.
    EachK,
    /// The next precision to ask for.
    Target,
    /// Take the recommended k.
    Adopt,
    /// Build the tables with a layout.
    Build,
    /// Ask for a layout to measure.
    Add,
    /// The next cosine from which a pair is true.
    Tau,
    /// Hold a document in the list of neighbours, whatever the query.
    Hold,
    /// Type into the texts.
    Edit,
    /// The next shingles.
    Shingles,
    /// The next weights.
    Weights,
    /// Open the line for the answer that a lesson asks for.
    Answer,
    /// The page of the lesson before.
    LessonBack,
}

/// The headings of the keys in help, each with the names of its actions; all others, Enter too, stand under the first
/// one.
pub(super) const HEADINGS: [(&str, &str); 4] = [
    ("move", ""),
    (
        "decide",
        "mark no-duplicates hold policy type-policy yes no unsure skip take-back judge answer adopt undo redo",
    ),
    (
        "change",
        "raise-k lower-k recipe linkage target tau filter fields sort reverse bits each-k add build mouse edit \
         shingles weights all-texts redraw",
    ),
    ("leave", "write export copy copy-more editor pager stop suspend quit"),
];

impl Action {
    /// The heading in help, and its place among all of them.
    pub fn heading(self) -> (usize, &'static str) {
        let has_it = |(_, names): &(&str, &str)| names.split(' ').any(|it| it == self.name());
        let at = HEADINGS.iter().position(has_it).unwrap_or(0);
        (at, HEADINGS[at].0)
    }

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        let way = |by: isize, on, back| if by > 0 { on } else { back };
        match self {
            Self::Go(screen) => screen.into(),
            Self::Say(verdict) => verdict.name(),
            Self::Step(by) => way(by, "down", "up"),
            Self::HalfPage(by) => way(by, "half-page-down", "half-page-up"),
            Self::Page(by) => way(by, "page-down", "page-up"),
            Self::Sideways(by) => way(by, "right", "left"),
            Self::FindNext(by) => way(by, "next", "previous"),
            Self::Scroll(by) => way(by, "scroll-down", "scroll-up"),
            Self::Probe(by) => way(by, "probe", "probe-back"),
            Self::View(by) => way(by, "next-view", "previous-view"),
            Self::K(by) => way(by as isize, "raise-k", "lower-k"),
            action => action.into(),
        }
    }
}
