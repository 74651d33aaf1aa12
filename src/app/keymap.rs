//! The action of each key in each view: one table, from which footer and help are made.

mod action;

use super::{Key, KeyCode, Screen};
use crate::verdict::Verdict;
pub use action::Action;

/// The condition under which the footer shows a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FooterCondition {
    /// Always.
    Always,
    /// While a lesson asks for a number.
    LessonAsks,
    /// While a lesson is open.
    LessonOpen,
    /// While a list shows, not the picture of a lesson.
    HasList,
    /// While the page of the lesson has bits to flip.
    LessonHasBits,
    /// While a document is under the cursor, on Pair and Tables a neighbour of the query.
    OnRow,
}

/// A row of the keymap.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The views that have this binding.
    pub views: In,
    /// The keys, the one to show first.
    pub keys: &'static [Key],
    /// The action of the keys.
    pub action: Action,
    /// The keys as the footer shows them, and the word after them; `None` if the footer does not show the binding.
    pub footer: Option<(&'static str, &'static str)>,
    /// The condition under which the footer shows the binding.
    pub when: FooterCondition,
    /// The line in help.
    pub help: &'static str,
}

const fn key(c: char) -> Key {
    Key::char(c)
}
const fn ctrl(c: char) -> Key {
    Key::ctrl(c)
}
const fn named(code: KeyCode) -> Key {
    Key::plain(code)
}

macro_rules! bindings {
    ($( $views:expr, [$($key:expr),+] => $action:expr, $footer:expr, $help:literal $(, $when:ident)?; )+) => {
        &[$( Binding {
            views: $views,
            keys: &[$($key),+],
            action: $action,
            footer: $footer,
            when: bindings!(@when $($when)?),
            help: $help,
        } ),+]
    };
    (@when) => { FooterCondition::Always };
    (@when $when:ident) => { FooterCondition::$when };
}

use self::Action as A;
use super::screen::ViewId::{
    self, Angle, Bits, Check, Docs, Judging, Layouts, Lessons, Pair, Playground, Recipes, Tables,
    Tune,
};

/// The views that have a binding. A new view has the keys of a list unless a list here leaves it out.
#[derive(Clone, Copy, Debug)]
pub enum In {
    /// Every view except these.
    AllBut(&'static [ViewId]),
    /// The listed views.
    These(&'static [ViewId]),
}

impl In {
    /// Whether the binding belongs to a view.
    pub fn contains(self, view: ViewId) -> bool {
        match self {
            Self::AllBut(views) => !views.contains(&view),
            Self::These(views) => views.contains(&view),
        }
    }
}

const EVERYWHERE: In = In::AllBut(&[]);
/// Views with a list in which the cursor moves. Other views give its keys other meanings.
const LISTS: In = In::AllBut(&[Tune, Judging, Playground, Angle]);
/// Views with a document or a pair under the cursor.
const OF_DOCUMENTS: &[ViewId] = &[Docs, Bits, Pair, Tables, Recipes, Check];
/// The views of Tune through which `v` steps.
const TUNE: In = In::These(&[Tune, Layouts, Recipes]);
/// The views of Learn.
const LEARN: In = In::These(&[Lessons, Playground, Angle]);
/// Views in which a key can make several steps at once.
const PAGED: In = In::AllBut(&[Judging, Playground, Angle]);
/// Views in which k and the recipe can change: in others a change would replace the pair being judged.
const CHANGEABLE: In = In::AllBut(&[Judging]);

/// Every binding, in the order of the footer. A view has at most one row for a key.
pub const KEYMAP: &[Binding] = bindings! {
    In::These(&[Docs]), [named(KeyCode::Enter)] => A::Enter, Some(("Enter", "open, compare")), "open the group; from a text go on to the pair: the text and the one kept for it", OnRow;
    In::These(&[Docs]), [key(' ')] => A::Mark, Some(("Space", "keep or go")), "keep the text under the cursor if it would go, else let it go", OnRow;
    In::These(&[Docs]), [key('w')] => A::Write, Some(("w", "write")), "write the list of what goes, and the corpus without it, into a folder";
    In::These(&[Docs]), [named(KeyCode::Tab)] => A::AllTexts, Some(("Tab", "all texts")), "all texts in corpus order with their bits; press again for the groups";
    LISTS, [key('j'), named(KeyCode::Down)] => A::Step(1), Some(("j/k", "choose")), "next row", HasList;
    LISTS, [key('k'), named(KeyCode::Up)] => A::Step(-1), None, "previous row";
    In::These(&[Playground]), [key('j'), named(KeyCode::Down)] => A::Step(1), Some(("j/k", "text")), "the other text";
    In::These(&[Playground]), [key('k'), named(KeyCode::Up)] => A::Step(-1), None, "the text before";
    In::These(&[Docs]), [key('l'), named(KeyCode::Right)] => A::Sideways(1), None, "open the group";
    In::These(&[Docs]), [key('h'), named(KeyCode::Left)] => A::Sideways(-1), None, "close the group";
    In::These(&[Docs]), [key('x')] => A::NoDuplicates, None, "mark the text under the cursor and the one kept for it as no duplicates", OnRow;
    In::These(&[Docs]), [key('c')] => A::Linkage, None, "change the linkage: chains of near documents (single), or documents that are all near each other (complete)";
    In::These(&[Docs]), [key('p')] => A::Policy, None, "the next policy: keep the first, the longest, the most central, the shortest, the last";
    In::These(&[Docs]), [key('P')] => A::TypePolicy, None, "type a policy, such as newest:date,longest";
    In::These(&[Bits]), [named(KeyCode::Enter)] => A::Enter, Some(("Enter", "near")), "go to the near-duplicates of the selected document", OnRow;
    In::These(&[Docs, Bits]), [key('v'), key('V')] => A::View(1), None, "the other view of Docs";
    In::These(&[Docs]), [key('b')] => A::Votes, Some(("b", "votes")), "the votes behind the bits of the selected text";
    In::These(&[Check]), [named(KeyCode::Enter)] => A::Enter, Some(("Enter", "open")), "open the kind: its pairs, its documents, its places; open a pair in Pair";
    In::These(&[Pair]), [named(KeyCode::Enter), key('t')] => A::Enter, Some(("Enter", "tables")), "show in which tables the selected pair is a candidate, and why", OnRow;
    In::These(&[Bits]), [key('l'), named(KeyCode::Right)] => A::Sideways(1), Some(("h/l", "bit")), "the bit to the right";
    In::These(&[Bits]), [key('h'), named(KeyCode::Left)] => A::Sideways(-1), None, "the bit to the left";
    In::These(&[Bits]), [key('n')] => A::FindNext(1), Some(("n/N", "weak bit")), "the next weak bit, the weakest first";
    In::These(&[Bits]), [key('N')] => A::FindNext(-1), None, "the weak bit before";
    In::These(&[Docs, Bits]), [key('m')] => A::Hold, None, "hold this document: Pair lists it beside any other, near or not; press again to release it";
    In::These(&[Pair]), [key('m')] => A::Hold, None, "hold the selected neighbour, or release it: Pair lists it beside any document";
    In::These(&[Docs, Bits]), [key('/')] => A::Find, Some(("/", "find")), "find documents whose id, title or text holds a word";
    In::These(&[Docs]), [key('n')] => A::FindNext(1), None, "next match; without words to find, the next spared text";
    In::These(&[Docs]), [key('N')] => A::FindNext(-1), None, "the one before";
    In::These(&[Docs]), [key('s')] => A::Sort, None, "next order: corpus, near count, words, id, shown fields, group";
    In::These(&[Docs]), [key('S')] => A::Reverse, None, "reverse the order";
    In::These(&[Docs]), [key('o')] => A::Fields, None, "show fields of the rows as columns: type their names; then s can sort by them, too";
    In::These(&[Docs]), [key('f')] => A::Filter, Some(("f", "filter")), "show only some documents: words, label:earn, words>50, marks such as is:near, is:flagged";
    In::These(&[Pair]), [key('.')] => A::Follow, None, "make the selected neighbour the query", OnRow;
    In::These(&[Pair]), [key('n')] => A::FindNext(1), Some(("n/N", "next edit")), "next difference in the texts", OnRow;
    In::These(&[Pair]), [key('N')] => A::FindNext(-1), None, "previous difference in the texts";
    In::These(&[Tables]), [named(KeyCode::Enter), key('m')] => A::NextHit, Some(("Enter", "next")), "go to the next table in which the pair is a candidate", OnRow;
    In::These(&[Tables]), [key('l'), named(KeyCode::Right)] => A::Sideways(1), Some(("h/l", "pair")), "the next neighbour of the query", OnRow;
    In::These(&[Tables]), [key('h'), named(KeyCode::Left)] => A::Sideways(-1), None, "the neighbour before";
    In::These(&[Tables]), [key(' ')] => A::Probe(1), Some(("Space/b", "probe")), "one comparison of the binary search forwards", OnRow;
    In::These(&[Tables]), [key('b'), named(KeyCode::Backspace)] => A::Probe(-1), None, "one comparison back";
    In::These(&[Lessons]), [named(KeyCode::Enter)] => A::Enter, Some(("Enter", "begin")), "begin the lesson, or resume it; go on in it";
    In::These(&[Lessons]), [key('J')] => A::Scroll(1), Some(("J/K", "scroll")), "scroll the lesson down";
    In::These(&[Playground, Angle]), [named(KeyCode::Enter)] => A::Enter, Some(("Enter", "go on")), "go on in the lesson: text, picture, next page, next lesson", LessonOpen;
    LEARN, [key('[')] => A::LessonBack, None, "the lesson's page before";
    LEARN, [key('a')] => A::Answer, Some(("a", "answer")), "type the answer that the lesson asks for", LessonAsks;
    In::These(&[Playground]), [key('e')] => A::Edit, Some(("e", "edit")), "edit the text: Tab goes to the other text, Esc ends";
    In::These(&[Lessons]), [key(' ')] => A::Probe(1), Some(("Space", "flip")), "flip the bit of the picture, or flip it back", LessonHasBits;
    In::These(&[Angle]), [key(' ')] => A::Probe(1), Some(("Space", "line")), "one more line";
    In::These(&[Lessons]), [key('l'), named(KeyCode::Right)] => A::Sideways(1), Some(("h/l", "bit")), "the next bit", LessonHasBits;
    In::These(&[Lessons]), [key('h'), named(KeyCode::Left)] => A::Sideways(-1), None, "the bit before";
    In::These(&[Angle]), [key('l'), named(KeyCode::Right)] => A::Sideways(1), Some(("h/l", "turn")), "a smaller angle";
    In::These(&[Angle]), [key('h'), named(KeyCode::Left)] => A::Sideways(-1), None, "a larger angle";
    In::These(&[Playground]), [key('s')] => A::Shingles, Some(("s/w", "own recipe")), "the next shingles: words, runs of words, characters";
    In::These(&[Playground]), [key('w')] => A::Weights, None, "the next weights: binary, tf, log-tf";
    LEARN, [key('v')] => A::View(1), Some(("v", "view")), "the next view of Learn";
    LEARN, [key('V')] => A::View(-1), None, "the view before";
    In::These(&[Tune]), [key('a')] => A::Adopt, Some(("a", "adopt k")), "make the precise k the program's; pressed again, the balanced k";
    In::These(&[Tune]), [key('y')] => A::Say(Verdict::Yes), Some(("y/x", "judge")), "judge the pair that shows: the two texts are near-duplicates";
    In::These(&[Tune]), [key('x')] => A::Say(Verdict::No), None, "judge the pair that shows: they are not near-duplicates";
    In::These(&[Tune]), [key('t')] => A::EachK, Some(("t", "each k")), "each k by the texts; pressed again, by your judgements; once more, the pairs that the next bit adds";
    TUNE, [key('v')] => A::View(1), Some(("v", "view")), "the next view of Tune";
    TUNE, [key('V')] => A::View(-1), None, "the view before";
    In::These(&[Tune]), [key('j'), named(KeyCode::Down)] => A::Step(1), None, "the next k, on every screen";
    In::These(&[Tune]), [key('k'), named(KeyCode::Up)] => A::Step(-1), None, "the k before";
    In::These(&[Tune]), [key('n')] => A::FindNext(1), None, "the next pair that the next bit adds";
    In::These(&[Tune]), [key('N')] => A::FindNext(-1), None, "the pair before";
    In::These(&[Tune]), [named(KeyCode::Enter)] => A::Enter, None, "open the pair on Pair; go on comparing texts where that was stopped";
    In::These(&[Tune]), [key('b')] => A::Judge, None, "judge a batch of pairs at all distances, with the distance hidden";
    In::These(&[Tune]), [key('p')] => A::Target, None, "the next precision to ask for: 0.8, 0.9, 0.95, 0.99";
    In::These(&[Tune]), [named(KeyCode::Backspace)] => A::TakeBack, None, "take back the last answer";
    In::These(&[Layouts]), [named(KeyCode::Enter)] => A::Enter, Some(("Enter", "measure")), "measure the usual layouts with the texts, then the selected one";
    In::These(&[Layouts]), [key('a')] => A::Add, Some(("a", "add")), "type a layout to measure: 4x18 bands, 6 blocks, 4/4 blocks";
    In::These(&[Layouts]), [key('b')] => A::Build, Some(("b", "build")), "build the tables with the selected layout";
    In::These(&[Layouts]), [key('t')] => A::Tau, Some(("t", "tau")), "the next cosine from which a pair is true; measures the layouts again";
    In::These(&[Recipes]), [named(KeyCode::Enter)] => A::Enter, Some(("Enter", "sweep")), "begin a sweep, again if the recipe has changed beside what the map varies; use the selected recipe and its k; open the selected pair";
    In::These(&[Recipes]), [key('l'), named(KeyCode::Right)] => A::Sideways(1), Some(("h/l", "cell")), "the next column";
    In::These(&[Recipes]), [key('h'), named(KeyCode::Left)] => A::Sideways(-1), None, "the column before";
    In::These(&[Recipes]), [named(KeyCode::Tab)] => A::OtherPart, Some(("Tab", "changes")), "give the keys to the pairs gained and lost against the recipe before, or back to the map";
    In::These(&[Judging]), [key('y')] => A::Say(Verdict::Yes), Some(("y", "yes")), "judge: the two texts are near-duplicates";
    In::These(&[Judging]), [key('x')] => A::Say(Verdict::No), Some(("x", "no")), "judge: they are not near-duplicates";
    In::These(&[Judging]), [key('u')] => A::Say(Verdict::Unsure), Some(("u", "unsure")), "judge: not sure; the pair is counted both ways";
    In::These(&[Judging]), [key('s'), key(' ')] => A::Skip, Some(("s", "skip")), "skip this pair; it is shown again in another session";
    In::These(&[Judging]), [key('z'), named(KeyCode::Backspace)] => A::TakeBack, Some(("z", "undo")), "take back the last answer";
    In::These(&[Judging]), [key('j'), named(KeyCode::Down), key('J')] => A::Scroll(1), Some(("j/k", "scroll")), "scroll the texts down";
    In::These(&[Judging]), [key('k'), named(KeyCode::Up), key('K')] => A::Scroll(-1), None, "scroll the texts up";
    In::These(&[Judging]), [named(KeyCode::Esc)] => A::Back, Some(("Esc", "stop")), "stop judging; the answers are kept";
    In::These(&[Pair]), [key(' ')] => A::Mark, Some(("Space", "keep or go")), "keep the neighbour if it would go, else let it go", OnRow;
    In::These(&[Pair]), [key('x')] => A::NoDuplicates, None, "mark the two as no duplicates: neither is dropped for the other; press again to take it back", OnRow;
    CHANGEABLE, [key('r')] => A::Recipe, Some(("r", "recipe")), "change the recipe, which decides the fingerprints";
    CHANGEABLE, [key('+'), key('=')] => A::K(1), Some(("+/-", "looser, stricter")), "raise k, the largest distance that counts as near";
    CHANGEABLE, [key('-')] => A::K(-1), None, "lower k";
    In::These(&[Docs, Bits]), [key('J')] => A::Scroll(1), Some(("J/K", "scroll text")), "scroll the text down";
    In::These(&[Docs, Bits]), [key('K')] => A::Scroll(-1), None, "scroll the text up";
    In::These(&[Pair, Tune]), [key('J')] => A::Scroll(1), None, "scroll the texts down";
    In::These(&[Pair, Tune]), [key('K')] => A::Scroll(-1), None, "scroll the texts up";
    In::These(&[Pair]), [key('b')] => A::Bits, None, "bits as glyphs, or as 0 and 1";
    In::These(&[Playground, Angle]), [key('J')] => A::Scroll(1), None, "scroll the lesson down";
    LEARN, [key('K')] => A::Scroll(-1), None, "scroll the lesson up";
    In::These(&[Angle]), [key('g'), named(KeyCode::Home)] => A::First, None, "take all lines away";
    In::These(&[Angle]), [key('G'), named(KeyCode::End)] => A::Last, Some(("G", "all lines")), "as many lines as a fingerprint has bits";
    PAGED, [key('g'), named(KeyCode::Home)] => A::First, None, "first row";
    PAGED, [key('G'), named(KeyCode::End)] => A::Last, None, "last row";
    PAGED, [named(KeyCode::PageDown), ctrl('f')] => A::Page(1), None, "a screen down";
    PAGED, [named(KeyCode::PageUp), ctrl('b')] => A::Page(-1), None, "a screen up";
    PAGED, [ctrl('d')] => A::HalfPage(1), None, "half a screen down";
    PAGED, [ctrl('u')] => A::HalfPage(-1), None, "half a screen up";
    CHANGEABLE, [key('u')] => A::Undo, None, "take back the last choice: k, recipe, tables, filter, order, fields, policy, mark";
    CHANGEABLE, [ctrl('r')] => A::Redo, None, "redo the choice that was taken back";
    EVERYWHERE, [key('1')] => A::Go(Screen::Docs), None, "groups of near-duplicates and what can go; all texts and their bits";
    EVERYWHERE, [key('2')] => A::Go(Screen::Pair), None, "neighbours of the selected document";
    EVERYWHERE, [key('3')] => A::Go(Screen::Tables), None, "the permuted tables for the selected pair";
    EVERYWHERE, [key('4')] => A::Go(Screen::Tune), None, "the effect of each k, and the evidence for one";
    EVERYWHERE, [key('5')] => A::Go(Screen::Check), None, "what misleads in this corpus";
    EVERYWHERE, [key('6')] => A::Go(Screen::Learn), None, "how all of it works, hands on";
    EVERYWHERE, [key('!')] => A::Problems, None, "problems: what could not be read, and why; ids that occur twice";
    In::These(OF_DOCUMENTS), [key('y')] => A::Copy, None, "copy the id of the document under the cursor, or both of a pair";
    EVERYWHERE, [key('Y')] => A::CopyMore, None, "choose what to copy: ids, fingerprints, the text, the command that prints the same";
    EVERYWHERE, [key('M')] => A::Mouse, None, "mouse on or off (off lets the terminal select text)";
    EVERYWHERE, [ctrl('l')] => A::Redraw, None, "redraw the screen";
    EVERYWHERE, [ctrl('c')] => A::Stop, None, "stop the running work; press twice to leave";
    EVERYWHERE, [ctrl('z')] => A::Suspend, None, "stop the program until `fg`";
    CHANGEABLE, [named(KeyCode::Esc)] => A::Back, Some(("Esc", "back")), "one step back";
    In::These(OF_DOCUMENTS), [key('e')] => A::Editor, Some(("e", "edit")), "open $EDITOR at the file and the line of the document (of the first, for a pair)";
    In::These(OF_DOCUMENTS), [key('E')] => A::Pager, None, "read the text of the document in $PAGER (less)";
    EVERYWHERE, [key('X')] => A::Export, Some(("X", "export")), "write the view to a file: the screen as text or a picture, or all rows of its list as TSV or JSON";
    EVERYWHERE, [key(':'), ctrl('p')] => A::Menu, Some((":", "anything")), "the menu: type some letters of a key's help, a view, a lesson";
    EVERYWHERE, [key('?'), named(KeyCode::F(1))] => A::Help, Some(("?", "help")), "this list: type to search it, Enter runs the line";
    EVERYWHERE, [key('q')] => A::Quit, Some(("q", "quit")), "leave";
};

#[cfg(test)]
mod tests {
    use super::*;

    fn bindings(view: ViewId) -> impl Iterator<Item = &'static Binding> {
        KEYMAP.iter().filter(move |binding| binding.views.contains(view))
    }

    #[test]
    fn no_key_means_two_things_in_one_view() {
        for &view in ViewId::ALL {
            let mut seen = Vec::new();
            for key in bindings(view).flat_map(|binding| binding.keys) {
                assert!(!seen.contains(key), "{key} is bound twice in {view:?}");
                seen.push(*key);
            }
        }
    }

    #[test]
    fn headings_name_actions_that_have_a_key() {
        let names: Vec<&str> = KEYMAP.iter().map(|it| it.action.name()).collect();
        for (heading, listed) in action::HEADINGS {
            for name in listed.split_whitespace() {
                assert!(names.contains(&name), "{heading}: {name}");
            }
        }
    }

    #[test]
    fn the_menu_and_help_come_last_before_quit() {
        for &view in ViewId::ALL {
            let footer: Vec<&str> =
                bindings(view).filter_map(|b| b.footer).map(|(_, word)| word).collect();
            assert_eq!(footer[footer.len() - 3..], ["anything", "help", "quit"]);
        }
    }
}
