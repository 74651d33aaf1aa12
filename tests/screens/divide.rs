//! One part of a screen alone, the line between two columns, and what the mouse drags.

use simscope::app::{
    Message, Screen,
    geometry::PaneFocus,
    key::{Mouse, MouseAction},
    screen::ViewId,
};

use super::driver::Driver;

fn mouse(driver: &mut Driver, action: MouseAction, column: u16, row: u16) {
    driver.send(Message::Mouse(Mouse { action, column, row }));
}

/// Presses at a cell, moves over others, and lets go.
fn drag(driver: &mut Driver, from: (u16, u16), over: &[u16]) {
    mouse(driver, MouseAction::Click, from.0, from.1);
    for &column in over {
        mouse(driver, MouseAction::Drag, column, from.1 + 2);
    }
    mouse(driver, MouseAction::Release, from.0, from.1);
}

fn left(driver: &Driver) -> usize {
    match driver.app.screen {
        Screen::Docs => driver.app.docs_layout().list.width,
        Screen::Near => driver.app.near_layout().list.width,
        Screen::Tables => driver.app.tables_layout().list.width,
        _ => driver.app.groups_layout().list.width,
    }
}

#[test]
fn a_part_alone_has_the_whole_body_and_gives_it_back() {
    for (keys, name) in [
        ("z", "docs-list"),
        ("Jz", "docs-text"),
        ("jjjjjj<enter>z", "near-list"),
        ("<enter>Jz", "near-texts"),
        ("<enter>vJz", "near-why"),
        ("<enter><enter>z", "tables"),
        ("4z", "groups-list"),
        ("4lz", "groups-tree"),
        ("4Jz", "groups-text"),
    ] {
        for (width, height) in [(80, 24), (120, 35), (40, 12)] {
            let driver = Driver::sample(width, height).keys(keys);
            if width == 120 || name.starts_with("docs") {
                insta::assert_snapshot!(format!("alone-{name}-{width}x{height}"), driver.screen());
            }
            let back = driver.keys("z");
            let never = Driver::sample(width, height).keys(&keys.replace('z', ""));
            // A text that fits alone is not scrolled any more.
            if !keys.contains('J') {
                assert_eq!(back.screen(), never.screen(), "{name} {width}x{height}");
            }
            assert_eq!(back.app.docs_layout(), never.app.docs_layout(), "{name}");
            assert_eq!(back.app.near_layout(), never.app.near_layout(), "{name}");
            assert_eq!(back.app.groups_layout(), never.app.groups_layout(), "{name}");
        }
    }
}

#[test]
fn keys_move_what_is_alone_and_other_screens_stay_whole() {
    // The text is longer than this screen.
    let small = Driver::sample(40, 12).keys("Jz");
    let top = small.app.docs.preview_top;
    assert!(small.keys("J").app.docs.preview_top > top);
    let driver = Driver::sample(120, 35).keys("JzJ");
    let driver = driver.keys("j");
    assert_eq!(driver.app.docs.cursor.selected, 1);
    assert_eq!(driver.app.division(Screen::Docs).alone, Some(PaneFocus::Text));
    // The view that is divided is alone; another view of the screen is as ever.
    let bits = driver.keys("v");
    assert_eq!(bits.screen(), Driver::sample(120, 35).keys("Jjv").screen());
    let near = bits.keys("V<enter>");
    assert_eq!(near.app.division(Screen::Near).alone, None);
}

#[test]
fn the_line_between_columns_moves_by_keys_and_by_the_mouse() {
    for screen in ["1", "2", "3", "4"] {
        for (width, height) in [(120, 35), (200, 60)] {
            let mut driver = Driver::sample(width, height).keys(screen);
            let usual = left(&driver);
            driver = driver.keys(">>");
            assert_eq!(left(&driver), usual + 4, "{screen}");
            driver = driver.keys("<lt>#3<lt>");
            assert_eq!(left(&driver), usual - 4, "{screen}");
            let border = left(&driver) as u16;
            drag(&mut driver, (border, 5), &[border + 3, border + 7]);
            assert_eq!(left(&driver), border as usize + 7, "{screen}");
            // Beyond the ends nothing is gathered.
            let border = left(&driver) as u16;
            drag(&mut driver, (border - 1, 4), &[0, 0, width - 1, width - 1]);
            assert_eq!(left(&driver), usize::from(width) - 32, "{screen}");
            driver = driver.keys("<lt>");
            assert_eq!(left(&driver), usize::from(width) - 34, "{screen}");
            // A motion without a press is none.
            mouse(&mut driver, MouseAction::Drag, 50, 5);
            assert_eq!(left(&driver), usize::from(width) - 34, "{screen}");
        }
    }
    let mut driver = Driver::sample(120, 35).keys("4>>>>>>");
    insta::assert_snapshot!("split-groups-120x35", driver.screen());
    driver.send(Message::Resize { width: 80, height: 24 });
    let told = driver.keys(">").app.notice.unwrap_or_default();
    assert!(told.contains("120x30 and more"), "{told}");
}

#[test]
fn a_drag_over_the_histogram_moves_k_and_is_one_choice() {
    let mut driver = Driver::sample(80, 24).keys("5");
    let axis = |driver: &Driver, k: u32| {
        (0..80u16).find(|&column| {
            let mut at = Driver::sample(80, 24).keys("5");
            mouse(&mut at, MouseAction::Click, column, 10);
            // A click alone chooses nothing: it shows the row.
            assert_eq!(at.app.settings.k, 3);
            mouse(&mut at, MouseAction::Drag, column, 10);
            at.app.settings.k == k && driver.app.view() == ViewId::Distances
        })
    };
    let (three, six) = (axis(&driver, 3).unwrap(), axis(&driver, 6).unwrap());
    drag(&mut driver, (three, 10), &[three + 1, three + 2, six]);
    assert_eq!(driver.app.settings.k, 6);
    let driver = driver.keys("u");
    assert_eq!(driver.app.settings.k, 3);
}
