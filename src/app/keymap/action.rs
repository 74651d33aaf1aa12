//! The actions that keys ask for, and their names in the configuration.

use crate::{
    app::{Screen, screen::review::ReviewAction},
    verdict::Verdict,
};

/// An action that a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    Cancel,
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
    /// The next screen.
    NextScreen,
    /// The screen before.
    PreviousScreen,
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
    /// Show bits as glyphs, digits or hex.
    Bits,
    /// An action of the review of groups.
    Review(ReviewAction),
    /// Scroll the text.
    Scroll(isize),
    /// Make the selected neighbour the query.
    Follow,
    /// Show the texts side by side or in one column.
    DiffView,
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
    /// Change the scale: logarithmic or linear.
    Scale,
    /// Zoom in, or show all.
    Zoom,
    /// Show one part of the screen alone, or all parts.
    Alone,
    /// Drop the results, so that they are computed again.
    Forget,
    /// Raise or lower k.
    K(i32),
    /// Open the list of problems.
    Problems,
    /// Copy the document's id.
    Copy,
    /// Choose something to copy.
    CopyMore,
    /// Write the view to a file.
    Export,
    /// Open the document in the user's editor.
    Edit,
    /// Open the document's text in the user's pager.
    ReadText,
    /// An action of the Learn screen.
    Learn(LearnAction),
    /// An action of labelling by eye.
    Label(LabelAction),
    /// An action of the Lab view.
    Lab(LabAction),
    /// Change the cosine for which flip chances are shown.
    Cosine(isize),
    /// To the next weak bit.
    WeakBit,
    /// To the best recipe.
    Best,
    /// Hold a document in the list of neighbours, whatever the query.
    Hold,
}

/// An action of the Lab view only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabAction {
    /// Ask for a layout to try.
    Add,
    /// Compare the other rows with this one, or stop.
    Pin,
    /// The next cosine from which a pair is true.
    Tau,
}

/// An action of the Label view only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelAction {
    /// Judge the current pair.
    Say(Verdict),
    /// Skip the current pair in this session.
    Skip,
    /// Take back the last answer.
    Undo,
    /// The next precision to ask for.
    Target,
    /// Take the recommended k.
    Adopt,
}

/// An action of the Learn screen only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnAction {
    /// Type into the texts.
    Edit,
    /// The next shingles.
    Shingles,
    /// The next weights.
    Weights,
    /// The next width.
    Width,
    /// Other blocks or bands.
    Layout(isize),
    /// Take the selected document or pair of the corpus.
    Take,
    /// Play automatically, or stop.
    Play,
    /// Restore the beginning.
    Reset,
    /// Open the line for the answer that a lesson asks for.
    Answer,
    /// The page of the lesson before.
    PageBack,
    /// To the first bit of the next block or of the one before.
    Block(isize),
    /// Move along the lookup in a table.
    Walk(isize),
    /// Play faster or slower.
    Speed(isize),
    /// Keep the curve beside others, or drop it.
    Pin,
    /// The next cosine from which a pair is true.
    Tau,
    /// Another number of documents for the price.
    Size(isize),
}

impl Action {
    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Help => "help",
            Self::Menu => "menu",
            Self::Quit => "quit",
            Self::Back => "back",
            Self::Cancel => "stop",
            Self::Suspend => "suspend",
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Redraw => "redraw",
            Self::Mouse => "mouse",
            Self::Go(Screen::Docs) => "docs",
            Self::Go(Screen::Near) => "near",
            Self::Go(Screen::Tables) => "tables",
            Self::Go(Screen::Groups) => "groups",
            Self::Go(Screen::Tune) => "tune",
            Self::Go(Screen::Learn) => "learn",
            Self::NextScreen => "next-screen",
            Self::PreviousScreen => "previous-screen",
            Self::Step(1..) => "down",
            Self::Step(_) => "up",
            Self::HalfPage(1..) => "half-page-down",
            Self::HalfPage(_) => "half-page-up",
            Self::Page(1..) => "page-down",
            Self::Page(_) => "page-up",
            Self::First => "first",
            Self::Last => "last",
            Self::Enter => "enter",
            Self::Sideways(1..) => "right",
            Self::Sideways(_) => "left",
            Self::Find => "find",
            Self::FindNext(1..) => "next",
            Self::FindNext(_) => "previous",
            Self::Sort => "sort",
            Self::Reverse => "reverse",
            Self::Filter => "filter",
            Self::Fields => "fields",
            Self::Bits => "bits",
            Self::Review(ReviewAction::Toggle) => "mark",
            Self::Review(ReviewAction::NotDuplicates) => "no-duplicates",
            Self::Review(ReviewAction::Policy) => "policy",
            Self::Review(ReviewAction::TypePolicy) => "type-policy",
            Self::Review(ReviewAction::Write) => "write",
            Self::Scroll(1..) => "scroll-down",
            Self::Scroll(_) => "scroll-up",
            Self::Follow => "follow",
            Self::DiffView => "columns",
            Self::Probe(1..) => "probe",
            Self::Probe(_) => "probe-back",
            Self::NextHit => "next-hit",
            Self::Linkage => "linkage",
            Self::Recipe => "recipe",
            Self::View(1..) => "next-view",
            Self::View(_) => "previous-view",
            Self::Scale => "scale",
            Self::Zoom => "zoom",
            Self::Alone => "alone",
            Self::Forget => "forget",
            Self::K(1..) => "raise-k",
            Self::K(_) => "lower-k",
            Self::Problems => "problems",
            Self::Copy => "copy",
            Self::CopyMore => "copy-more",
            Self::Export => "export",
            Self::Edit => "editor",
            Self::ReadText => "pager",
            Self::Cosine(1..) => "next-cosine",
            Self::Cosine(_) => "previous-cosine",
            Self::WeakBit => "weak-bit",
            Self::Best => "best",
            Self::Hold => "hold",
            Self::Learn(action) => action.name(),
            Self::Label(action) => action.name(),
            Self::Lab(action) => action.name(),
        }
    }
}

impl LearnAction {
    fn name(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Shingles => "shingles",
            Self::Weights => "weights",
            Self::Width => "width",
            Self::Layout(1..) => "next-layout",
            Self::Layout(_) => "previous-layout",
            Self::Take => "take",
            Self::Play => "play",
            Self::Reset => "reset",
            Self::Answer => "answer",
            Self::PageBack => "lesson-back",
            Self::Block(1..) => "next-block",
            Self::Block(_) => "previous-block",
            Self::Speed(1..) => "faster",
            Self::Speed(_) => "slower",
            Self::Pin => "pin-curve",
            Self::Tau => "next-cosine-of-truth",
            Self::Size(1..) => "more-documents",
            Self::Size(_) => "fewer-documents",
            Self::Walk(1..) => "walk",
            Self::Walk(_) => "walk-back",
        }
    }
}

impl LabelAction {
    fn name(self) -> &'static str {
        match self {
            Self::Say(Verdict::Yes) => "yes",
            Self::Say(Verdict::No) => "no",
            Self::Say(Verdict::Unsure) => "unsure",
            Self::Skip => "skip",
            Self::Undo => "take-back",
            Self::Target => "target",
            Self::Adopt => "adopt",
        }
    }
}

impl LabAction {
    fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Pin => "pin",
            Self::Tau => "tau",
        }
    }
}
