//! The Docs screen: an ordered, filtered list of documents.

use crate::{
    analysis::Analysis,
    app::{
        cursor::Cursor,
        filter::{Filter, contains},
    },
    choice::choice,
    id::DocId,
};

choice! {
    /// By what the list is ordered.
    pub enum Order, "order" {
        /// As the corpus stands.
        #[default]
        Corpus = "corpus",
        /// By the number of near-duplicates, most first.
        Near = "near",
        /// By the number of tokens, most first.
        Words = "words",
        /// By id.
        Id = "id",
    }
}

choice! {
    /// How bits are shown.
    pub enum BitsView, "view" {
        /// A block for 1, a dot for 0.
        #[default]
        Glyphs = "glyphs",
        /// 0 and 1.
        Digits = "digits",
    }
}

/// What the Docs screen remembers.
#[derive(Clone, Debug, Default)]
pub struct DocsState {
    /// Selection in the list of rows.
    pub cursor: Cursor,
    /// Present order.
    pub order: Order,
    /// Whether the order is turned round.
    pub reversed: bool,
    /// Which documents are shown.
    pub filter: Filter,
    /// The filter as typed.
    pub filter_text: String,
    /// The word being looked for, in lower case.
    pub find: String,
    /// The selected document's text, wrapped for the preview.
    pub preview: Vec<String>,
    /// What the preview was wrapped from: the document laid open, and the width.
    pub wrapped: Option<(usize, usize)>,
    /// First row of the preview shown.
    pub preview_top: usize,
    /// How bits are shown.
    pub bits: BitsView,
    /// The rows where they are not simply every document in corpus order.
    rows: Option<Vec<DocId>>,
    n_documents: usize,
}

impl DocsState {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.as_ref().map_or(self.n_documents, Vec::len)
    }

    /// Whether no document is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document in a row.
    pub fn document(&self, row: usize) -> Option<DocId> {
        match &self.rows {
            Some(rows) => rows.get(row).copied(),
            None => (row < self.n_documents).then(|| DocId::from(row)),
        }
    }

    /// The selected document.
    pub fn selected(&self) -> Option<DocId> {
        self.document(self.cursor.selected)
    }

    /// Selects the row of a document, if it is shown.
    pub fn select(&mut self, document: DocId, height: usize) {
        let row = match &self.rows {
            Some(rows) => rows.iter().position(|&row| row == document),
            None => (document.index() < self.n_documents).then_some(document.index()),
        };
        if let Some(row) = row {
            self.cursor.select(row, self.len(), height);
        }
    }

    /// Makes the rows anew from the analysis, keeping the selected document where it still shows.
    pub fn arrange(&mut self, analysis: &Analysis, height: usize) {
        let selected = self.selected();
        self.n_documents = analysis.len();
        self.rows = None;
        if !self.filter.is_empty() || self.order != Order::Corpus || self.reversed {
            self.rows = Some(self.arranged(analysis));
        }
        self.cursor.fit(self.len(), height);
        if let Some(document) = selected {
            self.select(document, height);
        }
    }

    fn arranged(&self, analysis: &Analysis) -> Vec<DocId> {
        let all = (0..analysis.len()).map(DocId::from);
        let mut rows: Vec<DocId> =
            all.filter(|&document| self.filter.admits(analysis, document)).collect();
        let tokens = |document| analysis.sketch(document).map_or(0, |sketch| sketch.n_tokens);
        match self.order {
            Order::Corpus => {}
            Order::Near => {
                rows.sort_by_key(|&document| std::cmp::Reverse(analysis.near_count(document)))
            }
            Order::Words => rows.sort_by_key(|&document| std::cmp::Reverse(tokens(document))),
            Order::Id => rows.sort_by(|&a, &b| analysis.corpus.id(a).cmp(analysis.corpus.id(b))),
        }
        if self.reversed {
            rows.reverse();
        }
        rows
    }

    /// The next row, from the selected one on and round the end, whose id holds the word looked for.
    pub fn next_match(&self, analysis: &Analysis, step: isize) -> Option<usize> {
        let n_rows = self.len() as isize;
        let here = self.cursor.selected as isize;
        (1..=n_rows).map(|away| (here + step * away).rem_euclid(n_rows) as usize).find(|&row| {
            self.document(row)
                .is_some_and(|document| contains(analysis.corpus.id(document), &self.find))
        })
    }
}
