//! Which key does what, where: one table, from which footer and help are made.

use super::{
    Screen,
    key::{Code, Key},
    screen::tune::View,
};
use crate::verdict::Verdict;

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Open the list of keys.
    Help,
    /// Leave the program.
    Quit,
    /// One step back.
    Back,
    /// Stop the running job, or leave.
    Cancel,
    /// Stop the process until it is continued.
    Suspend,
    /// Draw everything anew.
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
    /// Drill in.
    Enter,
    /// Move sideways.
    Sideways(isize),
    /// Ask for a word to find.
    Find,
    /// The next or previous match or difference.
    FindNext(isize),
    /// The next order of the list.
    Sort,
    /// The list the other way round.
    Reverse,
    /// Ask for a filter.
    Filter,
    /// Show bits as glyphs, digits or hex.
    Bits,
    /// Scroll the text.
    Scroll(isize),
    /// Make the selected neighbour the query.
    Follow,
    /// Side by side or in one column.
    DiffView,
    /// One probe of the search forwards or back.
    Probe(isize),
    /// To the next table that hits.
    NextHit,
    /// Groups by chains of near pairs, or of documents that are all near each other.
    Linkage,
    /// Open the recipe.
    Recipe,
    /// The next view of the screen, or the one before.
    View(isize),
    /// Logarithmic or linear.
    Scale,
    /// Nearer, or all of it.
    Zoom,
    /// Forget what was found, so that it can be looked for anew.
    Forget,
    /// Raise or lower k.
    K(i32),
    /// Open the list of problems.
    Problems,
    /// Copy the document's id.
    Copy,
    /// Something of the Learn screen.
    Learn(LearnAction),
    /// Something of labelling by eye.
    Label(LabelAction),
    /// Something of the lab.
    Lab(LabAction),
    /// Another cosine that flip chances are told for.
    Cosine(isize),
    /// To the next weak bit.
    WeakBit,
    /// To the best recipe.
    Best,
    /// Keep a document in the list of neighbours, whatever the query.
    Hold,
}

/// What only the lab does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabAction {
    /// Ask for a layout to try.
    Add,
    /// Tell the others beside this row, or no longer.
    Pin,
    /// The next cosine from which a pair is true.
    Tau,
}

/// What only labelling does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelAction {
    /// Say this of the pair that shows.
    Say(Verdict),
    /// Leave the pair that shows for another time.
    Skip,
    /// Take the last word back.
    Undo,
    /// The next precision to ask for.
    Target,
    /// Make the recommended k the program's.
    Adopt,
}

/// What only Learn does.
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
    /// Take from the corpus what is selected there.
    Take,
    /// Go on by itself, or stop.
    Play,
    /// As at the beginning.
    Reset,
    /// Ask for the number a lesson wants.
    Answer,
    /// Along the walk through a table.
    Walk(isize),
}

/// Where a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// On every screen.
    Everywhere,
    /// On one.
    On(Screen),
    /// In one view of the Tune screen.
    In(View),
    /// While a pair is being judged.
    Judging,
}

/// Where the keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To a screen that has no keys of single views.
    On(Screen),
    /// To a view of the Tune screen.
    In(View),
    /// To a pair that is being judged.
    Judging,
}

impl From<Screen> for Place {
    fn from(screen: Screen) -> Self {
        Self::On(screen)
    }
}

/// A row of the keymap.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it holds.
    pub scope: Scope,
    /// The keys, the one to show first.
    pub keys: &'static [Key],
    /// What they do.
    pub action: Action,
    /// Its word in the footer, with how the keys are shown there; `None` keeps it out of the footer.
    pub footer: Option<(&'static str, &'static str)>,
    /// Its line in help.
    pub help: &'static str,
}

const fn key(c: char) -> Key {
    Key::char(c)
}
const fn ctrl(c: char) -> Key {
    Key::ctrl(c)
}
const fn named(code: Code) -> Key {
    Key::plain(code)
}

macro_rules! bindings {
    ($( $scope:expr, [$($key:expr),+] => $action:expr, $footer:expr, $help:literal; )+) => {
        &[$( Binding { scope: $scope, keys: &[$($key),+], action: $action, footer: $footer, help: $help } ),+]
    };
}

use self::{
    Action as A, LabelAction as J, LearnAction as L,
    Scope::{Everywhere as ALL, In, Judging, On},
    Screen::{Docs, Groups, Learn, Near, Tables, Tune},
    View::{Compare, Distances, Lab, Label, Layouts, Sweep},
};

/// Every binding: those of one screen first, in the order the footer shows them.
pub const KEYMAP: &[Binding] = bindings! {
    ALL, [key('?'), named(Code::F(1))] => A::Help, Some(("?", "help")), "this list: type to search it, Enter runs the line";
    ALL, [key('j'), named(Code::Down)] => A::Step(1), Some(("j/k", "move")), "next row";
    ALL, [key('k'), named(Code::Up)] => A::Step(-1), None, "previous row";
    On(Docs), [named(Code::Enter)] => A::Enter, Some(("Enter", "near")), "near-duplicates of the selected document";
    On(Near), [named(Code::Enter), key('t')] => A::Enter, Some(("Enter", "tables")), "in which tables the selected pair is a candidate, and why";
    On(Docs), [key('v')] => A::View(1), Some(("v/V", "view")), "the next view of Docs";
    On(Docs), [key('V')] => A::View(-1), None, "the view before";
    On(Docs), [key('l'), named(Code::Right)] => A::Sideways(1), Some(("h/l", "bit")), "the bit to the right (Bits)";
    On(Docs), [key('h'), named(Code::Left)] => A::Sideways(-1), None, "the bit to the left (Bits)";
    On(Docs), [key('w')] => A::WeakBit, Some(("w", "weak bit")), "the next weak bit, the weakest first (Bits)";
    On(Docs), [key('c')] => A::Cosine(1), Some(("c", "cosine")), "the next cosine that flip chances are told for (Bits)";
    On(Docs), [key('C')] => A::Cosine(-1), None, "the cosine before";
    On(Near), [key('v')] => A::View(1), Some(("v/V", "view")), "the next view of Near: the texts, or why the two are found or not";
    On(Near), [key('V')] => A::View(-1), None, "the view before";
    On(Docs), [key('m')] => A::Hold, None, "hold this document: Near lists it beside any other, near or not; again lets it go";
    On(Near), [key('m')] => A::Hold, None, "hold the selected neighbour, or let it go: Near lists it beside any document";
    On(Docs), [key('/')] => A::Find, Some(("/", "find")), "find a document by a part of its id";
    On(Docs), [key('n')] => A::FindNext(1), Some(("n/N", "next part")), "next match; in Health the next part, in Disagreements the other kind";
    On(Docs), [key('N')] => A::FindNext(-1), None, "previous match; the part before";
    On(Docs), [key('s')] => A::Sort, Some(("s", "sort")), "next order: corpus, near count, words, id";
    On(Docs), [key('S')] => A::Reverse, None, "the same order the other way round";
    On(Docs), [key('f')] => A::Filter, Some(("f", "filter")), "show only some documents: parts of the id, and marks such as is:near, is:short, is:flagged";
    On(Near), [key('.')] => A::Follow, Some((".", "follow")), "make the selected neighbour the query";
    On(Near), [key('n')] => A::FindNext(1), Some(("n/N", "next")), "next difference in the texts; in Why the next reason";
    On(Near), [key('N')] => A::FindNext(-1), None, "previous difference in the texts; the reason before";
    On(Tables), [named(Code::Enter), key('m')] => A::NextHit, Some(("Enter", "next hit")), "go to the next table in which the pair is a candidate";
    On(Tables), [key('l'), named(Code::Right)] => A::Sideways(1), Some(("h/l", "pair")), "the next neighbour of the query";
    On(Tables), [key('h'), named(Code::Left)] => A::Sideways(-1), None, "the neighbour before";
    On(Tables), [key(' ')] => A::Probe(1), Some(("Space/b", "probe")), "one comparison of the binary search forwards";
    On(Tables), [key('b'), named(Code::Backspace)] => A::Probe(-1), None, "one comparison back";
    On(Learn), [key('v')] => A::View(1), Some(("v/V", "view")), "the next view of Learn";
    On(Learn), [key('V')] => A::View(-1), None, "the view before";
    On(Learn), [named(Code::Enter)] => A::Enter, Some(("Enter", "begin")), "begin the lesson; when one is done, the next";
    On(Learn), [key('a')] => A::Learn(L::Answer), Some(("a", "answer")), "type the number the lesson asks for";
    On(Learn), [key('e')] => A::Learn(L::Edit), Some(("e", "edit")), "type into the two texts: Tab goes to the other, Esc ends";
    On(Learn), [key(' ')] => A::Probe(1), Some(("Space/b", "step")), "the next feature or line; damage or mend the bit";
    On(Learn), [key('b'), named(Code::Backspace)] => A::Probe(-1), None, "one back";
    On(Learn), [key('l'), named(Code::Right)] => A::Sideways(1), Some(("h/l", "bit")), "the next bit; a smaller angle";
    On(Learn), [key('h'), named(Code::Left)] => A::Sideways(-1), None, "the bit before; a larger angle";
    On(Learn), [key('c')] => A::Learn(L::Layout(1)), Some(("c/C", "layout")), "the next blocks or bands (Tables), their curve (Angle)";
    On(Learn), [key('C')] => A::Learn(L::Layout(-1)), None, "those before";
    On(Learn), [key('n')] => A::Learn(L::Walk(1)), Some(("n/N", "walk")), "on along permute, sort, probe, verify (Tables)";
    On(Learn), [key('N')] => A::Learn(L::Walk(-1)), None, "back along them";
    On(Learn), [key('d')] => A::Learn(L::Take), Some(("d", "from corpus")), "take the selected document or pair; other words (Wear)";
    On(Learn), [key('s')] => A::Learn(L::Shingles), Some(("s/w/B", "recipe")), "the next shingles: words, runs of words, characters";
    On(Learn), [key('w')] => A::Learn(L::Weights), None, "the next weights: binary, tf, log-tf";
    On(Learn), [key('B')] => A::Learn(L::Width), None, "the next width: 8, 16, 32 or 64 bits";
    On(Learn), [key('p')] => A::Learn(L::Play), Some(("p", "play")), "go on by itself, or stop (Step, Angle)";
    On(Learn), [key('x')] => A::Learn(L::Reset), None, "the view as it was at the beginning";
    In(Distances), [key('j'), named(Code::Down)] => A::Step(1), Some(("j/k", "k")), "the next k, on every screen";
    In(Distances), [key('k'), named(Code::Up)] => A::Step(-1), None, "the k before";
    In(Distances), [named(Code::Enter)] => A::Enter, None, "go on comparing all pairs where that was stopped";
    In(Distances), [key('L')] => A::Scale, Some(("L", "log/linear")), "bars as high as their counts, or as their logarithms";
    In(Distances), [key('z')] => A::Zoom, Some(("z", "zoom")), "distances 0 to 16 alone, or all of them";
    In(Layouts), [named(Code::Enter)] => A::Enter, Some(("Enter", "build")), "build the selected layout";
    In(Label), [named(Code::Enter)] => A::Enter, Some(("Enter", "judge pairs")), "judge twenty pairs, or go on where you stopped";
    In(Label), [key('a')] => A::Label(J::Adopt), Some(("a", "adopt k")), "make the recommended k the program's";
    In(Label), [key('t')] => A::Label(J::Target), Some(("t", "target")), "the next precision to ask for: 0.8, 0.9, 0.95, 0.99";
    In(Label), [key('y'), key('n'), key('u')] => A::Label(J::Say(Verdict::Unsure)), None, "yes, no, unsure: once a pair shows";
    In(Lab), [named(Code::Enter)] => A::Enter, Some(("Enter", "try, open")), "try the usual layouts; list the pairs a row gains and loses against the pinned one; open one of these";
    In(Lab), [key('a')] => A::Lab(LabAction::Add), Some(("a", "add")), "type a layout to try: 4x18 bands, 6 blocks, 4/4 blocks";
    In(Lab), [key('p')] => A::Lab(LabAction::Pin), Some(("p", "pin")), "pin this row: the others are told beside it";
    In(Lab), [key('t')] => A::Lab(LabAction::Tau), Some(("t", "tau")), "the next cosine from which a pair is true; tries the rows again";
    In(Sweep), [named(Code::Enter)] => A::Enter, Some(("Enter", "sweep, use")), "begin a sweep; use the selected recipe and its k";
    In(Sweep), [key('l'), named(Code::Right)] => A::Sideways(1), Some(("h/l", "cell")), "the next column";
    In(Sweep), [key('h'), named(Code::Left)] => A::Sideways(-1), None, "the column before";
    In(Sweep), [key('b')] => A::Best, Some(("b", "best")), "select the best recipe";
    In(Sweep), [key('x')] => A::Forget, Some(("x", "forget")), "forget the sweep, so that another can begin under the present recipe";
    In(Compare), [named(Code::Enter)] => A::Enter, Some(("Enter", "open")), "open the selected pair on Near";
    On(Tune), [key('v')] => A::View(1), Some(("v/V", "view")), "the next view of Tune";
    On(Tune), [key('V')] => A::View(-1), None, "the view before";
    On(Tune), [key('l'), named(Code::Right)] => A::K(1), Some(("h/l", "move k")), "move the marker: raise k, here and on every screen";
    On(Tune), [key('h'), named(Code::Left)] => A::K(-1), None, "move the marker back: lower k";
    Judging, [key('y')] => A::Label(J::Say(Verdict::Yes)), Some(("y", "yes")), "these two are near-duplicates";
    Judging, [key('n')] => A::Label(J::Say(Verdict::No)), Some(("n", "no")), "they are not";
    Judging, [key('u')] => A::Label(J::Say(Verdict::Unsure)), Some(("u", "unsure")), "it cannot be told: counted both ways";
    Judging, [key('s'), key(' ')] => A::Label(J::Skip), Some(("s", "skip")), "leave this pair for another time";
    Judging, [key('z'), named(Code::Backspace)] => A::Label(J::Undo), Some(("z", "undo")), "take the last word back";
    Judging, [key('j'), named(Code::Down), key('J')] => A::Scroll(1), Some(("j/k", "scroll")), "scroll the texts down";
    Judging, [key('k'), named(Code::Up), key('K')] => A::Scroll(-1), None, "scroll the texts up";
    Judging, [named(Code::Esc)] => A::Back, Some(("Esc", "stop")), "stop judging; what was said is kept";
    On(Groups), [named(Code::Enter)] => A::Enter, Some(("Enter", "open")), "the members of the selected group; on one of them, its near-duplicates";
    On(Groups), [key('c')] => A::Linkage, Some(("c", "linkage")), "groups of chains (single), or of documents that are all near each other (complete)";
    On(Groups), [key('n')] => A::FindNext(1), Some(("n/N", "chain")), "next group in which some two are farther apart than k";
    On(Groups), [key('N')] => A::FindNext(-1), None, "previous chain";
    ALL, [key('r')] => A::Recipe, Some(("r", "recipe")), "change what decides a fingerprint";
    ALL, [key('+'), key('=')] => A::K(1), Some(("+/-", "k")), "raise k, the largest distance that counts as near";
    ALL, [key('-')] => A::K(-1), None, "lower k";
    On(Groups), [key('l'), named(Code::Right)] => A::Sideways(1), Some(("h/l", "fold")), "to the members; on one of them, unfold what hangs on it, then the documents of its fingerprint";
    On(Groups), [key('h'), named(Code::Left)] => A::Sideways(-1), None, "fold; where nothing is left to fold, to what it hangs on, then back to the groups";
    On(Near), [key('d')] => A::DiffView, Some(("d", "columns")), "texts side by side, or in one column";
    On(Docs), [key('J')] => A::Scroll(1), Some(("J/K", "scroll text")), "scroll the text down";
    On(Learn), [key('J')] => A::Scroll(1), Some(("J/K", "scroll")), "scroll the lesson down";
    On(Learn), [key('K')] => A::Scroll(-1), None, "scroll the lesson up";
    On(Docs), [key('K')] => A::Scroll(-1), None, "scroll the text up";
    On(Groups), [key('J')] => A::Scroll(1), None, "scroll the text down";
    On(Groups), [key('K')] => A::Scroll(-1), None, "scroll the text up";
    On(Near), [key('J')] => A::Scroll(1), Some(("J/K", "scroll")), "scroll the texts down";
    On(Near), [key('K')] => A::Scroll(-1), None, "scroll the texts up";
    On(Docs), [key('b')] => A::Bits, Some(("b", "bits")), "bits as glyphs, or as 0 and 1";
    On(Near), [key('b')] => A::Bits, Some(("b", "bits")), "bits as glyphs, or as 0 and 1";
    ALL, [key('g'), named(Code::Home)] => A::First, None, "first row";
    ALL, [key('G'), named(Code::End)] => A::Last, None, "last row";
    ALL, [named(Code::PageDown), ctrl('f')] => A::Page(1), None, "a screen down";
    ALL, [named(Code::PageUp), ctrl('b')] => A::Page(-1), None, "a screen up";
    ALL, [ctrl('d')] => A::HalfPage(1), None, "half a screen down";
    ALL, [ctrl('u')] => A::HalfPage(-1), None, "half a screen up";
    ALL, [key('1')] => A::Go(Docs), None, "documents and their bits";
    ALL, [key('2')] => A::Go(Near), None, "neighbours of the selected document";
    ALL, [key('3')] => A::Go(Tables), None, "the permuted tables for the selected pair";
    ALL, [key('4')] => A::Go(Groups), None, "groups of near-duplicates";
    ALL, [key('5')] => A::Go(Tune), None, "what each k would do, and the evidence for one";
    ALL, [key('6')] => A::Go(Learn), None, "how all of it works, hands on";
    ALL, [named(Code::Tab)] => A::NextScreen, None, "next screen";
    ALL, [named(Code::BackTab)] => A::PreviousScreen, None, "previous screen";
    ALL, [key('!')] => A::Problems, None, "problems: what could not be read, and why; ids that occur twice";
    ALL, [key('y')] => A::Copy, None, "copy the selected document's id";
    ALL, [key('M')] => A::Mouse, None, "mouse on or off (off lets the terminal select text)";
    ALL, [ctrl('l')] => A::Redraw, None, "draw everything anew";
    ALL, [ctrl('c')] => A::Cancel, None, "stop what runs; twice leaves";
    ALL, [ctrl('z')] => A::Suspend, None, "stop the program until `fg`";
    ALL, [named(Code::Esc)] => A::Back, Some(("Esc", "back")), "one step back";
    ALL, [key('q')] => A::Quit, Some(("q", "quit")), "leave";
};

/// The bindings that hold in a place, in keymap order. The keys of a view, and those for a pair that is
/// being judged, take precedence over what they mean everywhere.
pub fn bindings(place: impl Into<Place>) -> impl Iterator<Item = &'static Binding> {
    let place = place.into();
    KEYMAP.iter().filter(move |binding| holds(binding, place))
}

fn holds(binding: &Binding, place: Place) -> bool {
    let own = match place {
        Place::On(screen) => Scope::On(screen),
        Place::In(view) => Scope::In(view),
        Place::Judging => Scope::Judging,
    };
    let is_general = match binding.scope {
        Scope::Everywhere => true,
        Scope::On(screen) => screen == Screen::Tune && matches!(place, Place::In(_)),
        _ => false,
    };
    let is_taken = || {
        let mut own = KEYMAP.iter().filter(|other| other.scope == own);
        own.any(|other| other.keys.iter().any(|key| binding.keys.contains(key)))
    };
    // Other pairs would come in place of the one that is being judged.
    let changes_pairs = matches!(binding.action, Action::K(_) | Action::Recipe);
    let is_barred = place == Place::Judging && changes_pairs;
    binding.scope == own || is_general && !is_taken() && !is_barred
}

/// What a key does in a place.
pub fn lookup(place: Place, key: Key) -> Option<Action> {
    bindings(place).find(|binding| binding.keys.contains(&key)).map(|binding| binding.action)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> impl Iterator<Item = Place> {
        let screens = Screen::ALL.iter().map(|&screen| Place::On(screen));
        screens.chain(View::ALL.iter().map(|&view| Place::In(view))).chain([Place::Judging])
    }

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for place in places() {
            let mut seen = Vec::new();
            for key in bindings(place).flat_map(|binding| binding.keys) {
                assert!(!seen.contains(key), "{key} is bound twice in {place:?}");
                seen.push(*key);
            }
        }
    }

    #[test]
    fn help_comes_first_and_quit_is_never_missing() {
        for place in places() {
            let footer: Vec<&str> =
                bindings(place).filter_map(|b| b.footer).map(|(_, word)| word).collect();
            assert_eq!((footer[0], footer[footer.len() - 1]), ("help", "quit"));
        }
    }
}
