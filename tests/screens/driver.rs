//! The program with its work done at once, in order: no threads, no waiting.

use std::collections::VecDeque;
use std::sync::Arc;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use simscope::analysis::{self, Settings};
use simscope::app::screen::ViewId;
use simscope::app::screen::docs::Listed;
use simscope::app::{App, Effect, Keys, Message, Size, StartOptions, Task, update};
use simscope::corpus::{Input, Labels, LoadOptions};
use simscope::look::{Depth, Ground, Look};
use simscope::tui::theme::Theme;
use simscope::tui::view;

/// A running program, all of whose work is done before the next key.
pub(crate) struct Driver {
    /// The program.
    pub(crate) app: App,
    /// How it is drawn.
    pub(crate) theme: Theme,
    /// Whether it asked to leave.
    pub(crate) left: bool,
    /// Whether analyses are left undone, as if they took for ever.
    pub(crate) hold: bool,
    /// Whether questions are left open.
    pub(crate) mute: bool,
    /// The names of queries that fail.
    pub(crate) refused: &'static [&'static str],
    /// The questions left open.
    pub(crate) held: Vec<Effect>,
    /// The file of labels, as far as the program knows.
    pub(crate) labels: Labels,
    /// Why that cannot be read, if it cannot.
    pub(crate) labels_problem: Option<String>,
}

/// The queries that write files where the user says, which is anywhere under random keys.
pub(crate) const WRITERS: &[&str] = &["export", "keep"];

/// The sample corpus.
pub(crate) fn sample() -> Vec<Input> {
    vec![Input::Bundled {
        name: "sample.jsonl",
        bytes: include_bytes!("../../assets/sample.jsonl"),
    }]
}

/// The settings of most tests: k = 3, and the weights under which the sample has what misleads: heavy features, and equal
/// fingerprints of other texts.
pub(crate) fn settings() -> Settings {
    Settings { k: 3, recipe: "words:3 tf".parse().unwrap(), ..Settings::default() }
}

impl Driver {
    /// Opens inputs on a screen of this size and does all that follows. All texts are listed, as after `Tab`.
    pub(crate) fn open(inputs: Vec<Input>, settings: Settings, width: u16, height: u16) -> Self {
        Self::load(inputs, settings, (width, height), Listed::All)
    }

    /// Opens inputs on their groups.
    pub(crate) fn groups_of(inputs: Vec<Input>, width: u16, height: u16) -> Self {
        Self::load(inputs, settings(), (width, height), Listed::Groups)
    }

    fn load(
        inputs: Vec<Input>,
        settings: Settings,
        (width, height): (u16, u16),
        listed: Listed,
    ) -> Self {
        let start = StartOptions {
            size: Size { width, height },
            compare_within: None,
            index: None,
            read: None,
        };
        let (app, effects) =
            App::new("sample.jsonl".into(), settings, inputs, LoadOptions::default(), start)
                .expect("the settings are sound");
        let mut driver = Self::around(app);
        driver.app.docs.listed = listed;
        driver.work(effects);
        driver
    }

    /// All texts of the sample corpus on a screen of this size.
    pub(crate) fn sample(width: u16, height: u16) -> Self {
        Self::open(sample(), settings(), width, height)
    }

    /// The groups of the sample corpus on a screen of this size.
    pub(crate) fn groups(width: u16, height: u16) -> Self {
        Self::groups_of(sample(), width, height)
    }

    /// A program whose corpus is still to be read.
    pub(crate) fn idle(width: u16, height: u16) -> Self {
        let start = StartOptions {
            size: Size { width, height },
            compare_within: None,
            index: None,
            read: None,
        };
        let (app, _) =
            App::new("sample.jsonl".into(), settings(), sample(), LoadOptions::default(), start)
                .expect("the settings are sound");
        let mut driver = Self::around(app);
        driver.app.docs.listed = Listed::All;
        driver
    }

    fn around(app: App) -> Self {
        let theme = Theme(Look { depth: Depth::True, ground: Ground::Dark, ..Look::PLAIN });
        Self {
            app,
            theme,
            left: false,
            hold: false,
            mute: false,
            refused: &[],
            held: Vec::new(),
            labels: Labels::default(),
            labels_problem: None,
        }
    }

    /// Answers the questions left open, and all that follow.
    pub(crate) fn speak(&mut self) {
        self.mute = false;
        let held = std::mem::take(&mut self.held);
        self.work(held);
    }

    /// The tasks left open, by the names of their queries.
    pub(crate) fn held_names(&self) -> Vec<&'static str> {
        let name = |effect: &Effect| match effect {
            Effect::Run(task) => Some(task.name),
            _ => None,
        };
        self.held.iter().filter_map(name).collect()
    }

    /// Takes out the newest task left open of a query.
    pub(crate) fn take_held(&mut self, name: &str) -> Task {
        let is_it = |effect: &Effect| matches!(effect, Effect::Run(task) if task.name == name);
        let at = self.held.iter().rposition(is_it).expect("it was asked for");
        let Effect::Run(task) = self.held.remove(at) else { unreachable!() };
        task
    }

    /// Runs a task, and all that follows from its answer.
    pub(crate) fn run(&mut self, task: Task) {
        self.send(Message::Answered((task.work)()));
    }

    /// Lets a task fail for this reason.
    pub(crate) fn fail(&mut self, task: &Task, problem: &str) {
        self.send(Message::Answered((task.fail)(task.number, problem.to_owned())));
    }

    /// The first `n` documents of the sample, read and not yet fingerprinted.
    pub(crate) fn snapshot_of(n: usize) -> Arc<analysis::Analysis> {
        let rows =
            include_bytes!("../../assets/sample.jsonl").split_inclusive(|&byte| byte == b'\n');
        let bytes: Vec<u8> = rows.take(n).flatten().copied().collect();
        let bytes = Box::leak(bytes.into_boxed_slice());
        let work = analysis::AnalysisInput::Load(
            vec![Input::Bundled { name: "sample.jsonl", bytes }],
            LoadOptions::default(),
            None,
        );
        let job = analysis::Job::new();
        analysis::run_to(analysis::AnalysisDepth::Fingerprints, work, settings(), &job, &mut |_| {})
            .expect("the sample loads")
    }

    /// The state that an analysis of the sample publishes when it knows at least `n` documents.
    pub(crate) fn snapshot(n: usize) -> Arc<analysis::Analysis> {
        let mut found = None;
        let work = analysis::AnalysisInput::Load(sample(), LoadOptions::default(), None);
        let (depth, job) = (analysis::AnalysisDepth::PairsByDistance, analysis::Job::new());
        let _ = analysis::run_to(depth, work, settings(), &job, &mut |analysis| {
            if found.is_none() && analysis.len() >= n {
                found = Some(analysis);
            }
        });
        found.expect("a snapshot with that many documents")
    }

    /// Presses keys, written as `--keys` takes them.
    pub(crate) fn keys(mut self, keys: &str) -> Self {
        for key in keys.parse::<Keys>().expect("keys").0 {
            self.send(Message::Key(key));
        }
        self
    }

    /// Goes to a view with the keys of its screen and of its views.
    pub(crate) fn show(mut self, view: ViewId) -> Self {
        self = self.keys(&(view.screen() as usize + 1).to_string());
        if view == ViewId::Bits {
            self = self.keys("b");
        }
        for _ in ViewId::of(view.screen()) {
            if self.app.view() != view {
                self = self.keys("v");
            }
        }
        assert_eq!(self.app.view(), view);
        self
    }

    /// Sends a message and does all that follows.
    pub(crate) fn send(&mut self, message: Message) {
        let message = view::located(&self.app, self.theme, message);
        let effects = update(&mut self.app, message);
        self.buffer();
        self.work(effects);
    }

    fn work(&mut self, effects: Vec<Effect>) {
        let mut queue = VecDeque::from(effects);
        while let Some(effect) = queue.pop_front() {
            for message in self.answer(effect) {
                queue.extend(update(&mut self.app, message));
                // Whatever the moment, the screen can be drawn.
                self.buffer();
            }
        }
    }

    fn answer(&mut self, effect: Effect) -> Vec<Message> {
        match effect {
            Effect::Analyse(_) if self.hold => Vec::new(),
            Effect::Analyse(task) => {
                let mut messages = Vec::new();
                task.run(&mut |message| messages.push(message));
                messages
            }
            effect @ Effect::Run(_) if self.mute => {
                self.held.push(effect);
                Vec::new()
            }
            Effect::Run(task) if self.refused.contains(&task.name) => {
                vec![Message::Answered((task.fail)(task.number, "refused".to_owned()))]
            }
            Effect::Run(task) => vec![Message::Answered((task.work)())],
            Effect::ReadLabels => vec![Message::Labels(match &self.labels_problem {
                Some(problem) => Err(problem.clone()),
                None => Ok((Arc::new(self.labels.clone()), None)),
            })],
            Effect::KeepLabel(entry) => {
                assert!(self.labels.enter(entry), "what is taken back was said");
                Vec::new()
            }
            Effect::Quit => {
                self.left = true;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The same program with ASCII signs, and without colour.
    pub(crate) fn ascii(mut self) -> Self {
        self.theme = Theme(Look { ascii: true, ..Look::PLAIN });
        self
    }

    /// The same program without colour.
    pub(crate) fn without_colour(mut self) -> Self {
        self.theme.0.depth = Depth::None;
        self
    }

    fn buffer(&self) -> Buffer {
        view::draw(&self.app, self.theme)
    }

    /// The text on the screen, blanks at the ends of rows left out.
    pub(crate) fn screen(&self) -> String {
        rows(&self.buffer(), |cell| cell.symbol().to_owned())
    }

    /// The screen, and below it how its cells are drawn: each row's runs of cells that are not plain, from the
    /// first cell to the last, with their modifiers and colours.
    pub(crate) fn picture(&self) -> String {
        let buffer = self.buffer();
        let width = buffer.area.width.max(1) as usize;
        let mut text = self.screen() + "---- styles\n";
        for (y, row) in buffer.content.chunks(width).enumerate() {
            let mut at = 0;
            let mut runs = Vec::new();
            for run in row.chunk_by(|left, right| style(left) == style(right)) {
                let style = style(&run[0]);
                if !style.is_empty() {
                    runs.push(format!("{at}-{} {style}", at + run.len() - 1));
                }
                at += run.len();
            }
            if !runs.is_empty() {
                text += &format!("{y:2}: {}\n", runs.join(", "));
            }
        }
        text
    }

    /// The screen's modifiers, a letter a cell: Reversed, Bold, Dim.
    pub(crate) fn styles(&self) -> String {
        rows(&self.buffer(), |cell| {
            let letters = [(Modifier::REVERSED, "R"), (Modifier::BOLD, "B"), (Modifier::DIM, "D")];
            let found = letters.iter().find(|(modifier, _)| cell.modifier.contains(*modifier));
            found.map_or(" ", |(_, letter)| letter).to_owned()
        })
    }
}

/// A cell's modifiers and colours in words; nothing where it is plain.
fn style(cell: &Cell) -> String {
    let mut words = Vec::new();
    for (name, _) in cell.modifier.iter_names() {
        words.push(name.to_lowercase());
    }
    for (color, before) in [(cell.fg, ""), (cell.bg, "on ")] {
        if color != Color::Reset {
            words.push(format!("{before}{}", color.to_string().to_lowercase()));
        }
    }
    words.join(" ")
}

fn rows(buffer: &Buffer, cell: impl Fn(&Cell) -> String) -> String {
    let width = buffer.area.width.max(1) as usize;
    let mut text = String::new();
    for row in buffer.content.chunks(width) {
        let mut line = String::new();
        let mut skip = 0usize;
        for each in row {
            // A wide character fills the next cell too.
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = unicode_width::UnicodeWidthStr::width(each.symbol()).saturating_sub(1);
            line.push_str(&cell(each));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Whether a screen has none of the signs that the program draws beyond ASCII; texts may have other characters.
pub(crate) fn has_ascii_signs(screen: &str) -> bool {
    let is_drawn = |c| matches!(c, '←'..='⇿' | '─'..='◿' | '⠀'..='⣿');
    screen.chars().all(|c| !is_drawn(c) && simscope::sign::in_ascii(c).is_none())
}
