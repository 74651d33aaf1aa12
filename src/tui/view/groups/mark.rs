//! The mark of the selected row in the two parts of Groups.

use ratatui::style::Style;

use crate::{
    app::{App, screen::groups::GroupsPane},
    tui::theme::Theme,
};

/// The mark of the selected row of a part: the cursor in the part that keys move in, else a line.
pub(super) fn mark(app: &App, pane: GroupsPane, theme: Theme) -> (char, Style) {
    if app.groups.pane == pane { theme.mark() } else { (theme.glyphs().rule, Style::new()) }
}
