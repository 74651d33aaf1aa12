//! The explorer without a terminal: it takes keys and returns the last screen as text.
//!
//! Scripts, tests and documentation use the real program: the same update, the same drawing. Before the first key and
//! after each key it waits for all answers, so that equal input gives equal output. Every step is drawn, so that an
//! error of drawing shows here, too.

use anyhow::Result;
use ratatui::buffer::Buffer;

use super::session::Session;
use super::svg::svg;
use super::view_export::screen_text;
use crate::app::{Effect, Key, Keys, Message, Size};
use crate::explorer_start::ExplorerStart;
use crate::look::{Depth, PrintFormat};

/// Presses keys in the explorer; returns the last screen as text or as an SVG picture, or a film with a frame for each
/// key after the first one; and the messages about documents that could not be read.
///
/// If a key leaves the program, the keys after it are not used.
///
/// # Errors
/// If the settings contradict themselves or nothing could be read.
pub fn print(
    mut start: ExplorerStart,
    keys: &Keys,
    size: Size,
    format: PrintFormat,
) -> Result<(String, Vec<String>)> {
    let ground = start.look.ground;
    if format == PrintFormat::Text {
        // Text shows no ground, so signs have to do its work.
        start.look.depth = Depth::None;
    }
    let mut page = HeadlessPage::open(Session::new(start, size)?);
    let mut is_open = page.settle()?;
    let mut frames = Vec::new();
    for key in &keys.0 {
        if is_open {
            if format == PrintFormat::Film {
                frames.push(page.screen.clone());
            }
            is_open = page.press(&[*key])?;
        }
    }
    frames.push(page.screen);
    let problems = page.session.app.analysis.diagnostics().map(ToString::to_string).collect();
    page.session.close()?;
    let printed = match format {
        PrintFormat::Text => screen_text(&frames[0]),
        PrintFormat::Svg | PrintFormat::Film => svg(&frames, ground),
    };
    Ok((printed, problems))
}

/// A session on a page of cells.
pub(super) struct HeadlessPage {
    pub(super) session: Session,
    /// The last frame.
    pub(super) screen: Buffer,
    /// The effects for a terminal that the caller has not taken yet.
    pub(super) effects: Vec<Effect>,
}

impl HeadlessPage {
    pub(super) fn open(mut session: Session) -> Self {
        let screen = session.draw();
        session.begin();
        Self { session, screen, effects: Vec::new() }
    }

    /// Takes a message and draws; false if the program leaves.
    pub(super) fn update(&mut self, message: Message) -> bool {
        let effects = self.session.update(message);
        self.screen = self.session.draw();
        let leaves = effects.iter().any(|effect| matches!(effect, Effect::Quit));
        self.effects.extend(effects);
        !leaves
    }

    /// Presses keys after all answers are there; false if the program leaves, and then the keys that follow are not
    /// used.
    pub(super) fn press(&mut self, keys: &[Key]) -> Result<bool> {
        let mut is_open = self.settle()?;
        for &key in keys {
            is_open = is_open && self.update(Message::Key(key)) && self.settle()?;
        }
        Ok(is_open)
    }

    /// Takes all answers that are expected; false if the program leaves.
    pub(super) fn settle(&mut self) -> Result<bool> {
        while self.session.app.is_busy() {
            let answer = self.session.worker.answers.recv()?;
            if !self.update(answer) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::buffer::Cell;
    use ratatui::style::Modifier;

    use super::*;
    use crate::analysis::Settings;
    use crate::app::custom_keys::Keymap;
    use crate::app::key::{KeyCode, Mouse, MouseAction};
    use crate::app::overlay::{Overlay, Purpose};
    use crate::corpus::{Input, LoadOptions};
    use crate::look::Look;

    const SIZE: Size = Size { width: 80, height: 24 };

    fn start(input: Input) -> ExplorerStart {
        ExplorerStart {
            fields: Vec::new(),
            index: None,
            read: None,
            labels: None,
            has_settings: false,
            is_fresh: false,
            marks: None,
            all_pairs: false,
            title: "sample".to_owned(),
            settings: Settings::default(),
            inputs: vec![input],
            options: LoadOptions::default(),
            look: Look::PLAIN,
            keymap: Keymap::default(),
            learn: None,
            size: None,
        }
    }

    fn sample() -> ExplorerStart {
        start(Input::Bundled {
            name: "sample.jsonl",
            bytes: include_bytes!("../../assets/sample.jsonl"),
        })
    }

    fn opened() -> HeadlessPage {
        HeadlessPage::open(Session::new(sample(), SIZE).unwrap())
    }

    fn text(start: ExplorerStart, keys: &Keys) -> Result<String> {
        print(start, keys, SIZE, PrintFormat::Text).map(|(text, _)| text)
    }

    #[test]
    fn the_first_frame_is_there_before_any_answer_is_taken() {
        let page = opened();
        let first = screen_text(&page.screen);
        assert!(first.contains("simscope"), "{first}");
        assert!(page.session.app.analysis.is_empty() && page.session.app.is_busy());
    }

    #[test]
    fn the_page_waits_for_every_answer() {
        let mut page = opened();
        assert!(page.settle().unwrap());
        for key in "j2j3jj1G".chars() {
            assert!(page.update(Message::Key(Key::char(key))) && page.settle().unwrap());
            assert!(!page.session.app.is_busy(), "after {key}");
        }
    }

    #[test]
    fn a_key_that_leaves_ends_the_keys() {
        let until = |keys: &str| text(sample(), &keys.parse().unwrap()).unwrap();
        assert_eq!(until("jqG"), until("jq"));
        assert!(until("j").contains("tide-log-copy"));
    }

    #[test]
    fn what_cannot_be_read_is_an_error_not_a_screen() {
        let nowhere = start(Input::Path("no/such/file".into()));
        let error = text(nowhere, &Keys::default()).unwrap_err().to_string();
        assert!(error.contains("no/such/file"), "{error}");
    }

    #[test]
    fn the_selected_row_is_set_off_without_colour() {
        let mut page = opened();
        let keys: Keys = "<tab>j".parse().unwrap();
        assert!(page.press(&keys.0).unwrap());
        let is_bold = |row: &[Cell]| {
            let name = row
                .windows(14)
                .find(|name| name.iter().map(Cell::symbol).collect::<String>() == "tide-log-copy ");
            name.is_some_and(|name| name[0].modifier.contains(Modifier::BOLD))
        };
        let mut rows = page.screen.content.chunks(usize::from(SIZE.width));
        assert!(rows.any(is_bold), "{}", screen_text(&page.screen));
    }

    #[test]
    fn wide_characters_take_their_cells_once() {
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 6, 1));
        buffer.set_string(0, 0, "漢a", ratatui::style::Style::new());
        assert_eq!(screen_text(&buffer), "漢a\n");
    }

    fn messages() -> impl Strategy<Value = Message> {
        let code = prop_oneof![
            4 => prop::char::range(' ', '~').prop_map(KeyCode::Char),
            1 => prop::sample::select(vec![KeyCode::Enter, KeyCode::Esc, KeyCode::Tab, KeyCode::Down, KeyCode::End, KeyCode::PageDown]),
        ];
        let action = prop::sample::select(vec![
            MouseAction::Click,
            MouseAction::Wheel(-1),
            MouseAction::Wheel(1),
        ]);
        prop_oneof![
            8 => (code, prop::bool::weighted(0.1)).prop_map(|(code, ctrl)| Message::Key(Key { ctrl, ..Key::plain(code) })),
            2 => (action, 0_u16..260, 0_u16..80).prop_map(|(action, column, row)| Message::Mouse(Mouse { action, column, row })),
            2 => (0_u16..=250, 0_u16..=70).prop_map(|(width, height)| Message::Resize { width, height }),
            1 => ".{0,9}".prop_map(Message::Paste),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        /// No panic for any size and any events; any size that the terminal reports is drawn.
        #[test]
        fn any_events_at_any_size_are_survived(messages in prop::collection::vec(messages(), 0..40)) {
            let mut page = opened();
            prop_assert!(page.settle().unwrap());
            for message in messages {
                // A folder whose name was typed at random would be written where the tests run.
                let overlay = &page.session.app.overlay;
                let is_writing =
                    matches!(overlay, Some(Overlay::Prompt(it)) if matches!(it.purpose, Purpose::Export | Purpose::ViewFile));
                let is_enter = matches!(message, Message::Key(key) if key.code == KeyCode::Enter);
                if is_writing && is_enter {
                    continue;
                }
                if !page.update(message) {
                    break;
                }
            }
        }
    }
}
