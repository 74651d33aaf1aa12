//! Marks of documents with equal fingerprints: `=` if their texts are equal, `≡` (in ASCII `c`) if they differ or are
//! not known to be equal.

use crate::{
    analysis::{TextRelation, TwinKind},
    app::App,
    number::grouped,
    tui::theme::Theme,
};

/// The mark of equal texts, or of equal fingerprints only.
pub(super) fn mark(twin: TwinKind, theme: Theme) -> char {
    match twin {
        TwinKind::Text => theme.glyphs().equal_text,
        TwinKind::OtherText | TwinKind::Unknown => theme.glyphs().equal_print,
    }
}

/// The number of documents with a fingerprint, and whether their texts are equal: ` =3`, ` ≡3`; empty for one
/// document.
pub(super) fn count(app: &App, entry: u32, n: usize, theme: Theme) -> String {
    let twin = match app.analysis.shared(entry) {
        _ if n < 2 => return String::new(),
        TextRelation::OneText => TwinKind::Text,
        TextRelation::Texts(_) | TextRelation::Unknown => TwinKind::Unknown,
    };
    format!(" {}{}", mark(twin, theme), grouped(n as u64))
}
