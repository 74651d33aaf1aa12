//! The Sweep view before a sweep: what it will do, what it costs, and what chance alone says about each width; below
//! it, where there is room, the distances of all pairs.

use ratatui::style::Style;

use super::distances;
use crate::{
    analysis::FingerprintIndex,
    app::{App, layout::SizeClass, wrap::wrap},
    evaluate::distances::Chance,
    number::counted,
    tui::widget::canvas::Canvas,
};

pub(super) fn draw(app: &App, canvas: &mut Canvas) {
    let mut y = 0;
    let (cells, height) = (canvas.width().saturating_sub(2), canvas.height());
    let texts = texts(app);
    let rows: usize = texts.iter().map(|text| wrap(text, cells).len()).sum();
    // Blank rows between the paragraphs, unless the picture needs them.
    let beside = |rows: usize| distances::has_picture(app, height.saturating_sub(rows));
    let is_spaced = height > 16 && (beside(rows + texts.len()) || !beside(rows));
    for text in texts {
        // A paragraph is shown as a whole or not at all.
        if y > 0 && y + wrap(&text, cells).len() > height {
            continue;
        }
        y += canvas.paragraph(1, y, &text, Style::new());
        y += usize::from(is_spaced);
    }
    distances::picture(app, y, canvas);
}

/// The explanation of a sweep, and its expected cost.
fn texts(app: &App) -> Vec<String> {
    let grid = &app.tune.sweep.grid;
    let n = counted(app.analysis.len() as u64, "document");
    let costs = counted(grid.fingerprintings() as u64, "time");
    if app.size.shape() == SizeClass::Small {
        return vec![format!("Enter begins {} recipes: fingerprints {n} {costs}.", grid.len())];
    }
    let mut texts = vec![
        format!(
            "A sweep shows which recipe finds near-duplicates best. Enter begins one: it tries {} recipes, one for \
             each cell of the map, and finds the best k of each.",
            grid.len()
        ),
        format!(
            "All are compared with one truth: two texts are alike if they have a {}. Copies are left out, because every \
             recipe finds them.",
            app.settings.alike.describe(&app.settings.recipe)
        ),
        format!(
            "It fingerprints the {n} {costs}, in the background, whatever screen you are on. ^C stops it, and Enter \
             resumes it."
        ),
    ];
    texts.extend(app.analysis.index.as_ref().map(|index| by_chance(app, index)));
    if let Some(forgotten) = &app.tune.sweep.forgotten {
        let took = forgotten.took.as_secs_f64();
        texts.push(format!("The sweep that was forgotten took {took:.1} s."));
    }
    texts
}

/// The largest k of each width at which chance is expected to bring less than one pair.
fn by_chance(app: &App, index: &FingerprintIndex) -> String {
    let unlike = index.n_unlike_pairs() as f64;
    let of = |&bits: &u32| {
        let k = Chance::coins(bits).largest_k(unlike);
        k.map_or_else(|| format!("no k at {bits} bits"), |k| format!("k = {k} at {bits} bits"))
    };
    let list: Vec<String> = app.tune.sweep.grid.widths.iter().map(of).collect();
    format!(
        "If the bits of {} were coin flips, chance would bring less than one pair up to {}.",
        counted(index.n_distinct() as u64, "distinct fingerprint"),
        list.join(", ")
    )
}
