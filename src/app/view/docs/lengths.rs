//! Lengths: how many texts have how many words.

use super::super::contract::View;
use crate::{
    app::{
        App,
        cursor::Cursor,
        page::{Block, Column, List, Page, Part, Place},
    },
    number::grouped,
};

/// The Lengths view.
pub(in crate::app) struct LengthsView;

impl View for LengthsView {
    fn page<'a>(&self, app: &'a App) -> Option<Page<'a>> {
        let mut texts = [0_u64; 32];
        for record in app.analysis.records.iter() {
            texts[record.n_tokens.max(1).ilog2() as usize] += 1;
        }
        let words = |row: usize| format!("{} words and more", grouped(1 << row));
        let columns = vec![
            Column::words("words", 24, words),
            Column::number("texts", 12, 0, move |row| grouped(texts[row])),
        ];
        let none = String::new();
        let list = List { columns, len: 24, cursor: Cursor::default(), none };
        let (title, remark) = ("lengths".to_owned(), String::new());
        let (rank, place, block) = (0, Place::Wide, Block::List(list));
        Some(Page { parts: vec![Part { title, remark, rows: 5..=25, rank, place, block }] })
    }
}
