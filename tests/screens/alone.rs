//! One part of a screen alone, and the marker of k that the mouse drags.

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

#[test]
fn a_part_alone_has_the_whole_body_and_gives_it_back() {
    for (keys, name) in [
        ("jjjjjj<enter>z", "near-list"),
        ("<enter>Jz", "near-texts"),
        ("<enter>vJz", "near-why"),
        ("<enter><enter>z", "tables"),
    ] {
        for (width, height) in [(80, 24), (120, 35), (40, 12)] {
            let driver = Driver::sample(width, height).keys(keys);
            if width == 120 {
                insta::assert_snapshot!(format!("alone-{name}-{width}x{height}"), driver.screen());
            }
            let back = driver.keys("z");
            let never = Driver::sample(width, height).keys(&keys.replace('z', ""));
            // A text that fits alone is not scrolled any more.
            if !keys.contains('J') {
                assert_eq!(back.screen(), never.screen(), "{name} {width}x{height}");
            }
            assert_eq!(back.app.near_layout(), never.app.near_layout(), "{name}");
        }
    }
}

#[test]
fn keys_move_what_is_alone_and_other_screens_stay_whole() {
    // The text is longer than this screen.
    let small = Driver::sample(40, 12).keys("<enter>Jz");
    let top = small.app.near.text_top;
    assert!(small.keys("J").app.near.text_top > top);
    let driver = Driver::sample(120, 35).keys("<enter>JzJ");
    let driver = driver.keys("j");
    assert_eq!(driver.app.near.cursor.selected, 1);
    assert_eq!(driver.app.alone(Screen::Near), Some(PaneFocus::Text));
    let tables = driver.keys("<enter>");
    assert_eq!(tables.app.alone(Screen::Tables), None);
    // A page has no part that stands alone.
    let docs = Driver::sample(120, 35).keys("z");
    assert_eq!(docs.app.alone(Screen::Docs), None);
}

#[test]
fn a_drag_over_the_histogram_moves_k_and_is_one_choice() {
    let mut driver = Driver::sample(80, 24).keys("4");
    let axis = |driver: &Driver, k: u32| {
        (0..80u16).find(|&column| {
            let mut at = Driver::sample(80, 24).keys("4");
            mouse(&mut at, MouseAction::Click, column, 10);
            // A click alone chooses nothing: it shows the row.
            assert_eq!(at.app.settings.k, 3);
            mouse(&mut at, MouseAction::Drag, column, 10);
            at.app.settings.k == k && driver.app.view() == ViewId::Distances
        })
    };
    let (three, six) = (axis(&driver, 3).unwrap(), axis(&driver, 6).unwrap());
    // A motion without a press is none.
    mouse(&mut driver, MouseAction::Drag, six, 10);
    assert_eq!(driver.app.settings.k, 3);
    mouse(&mut driver, MouseAction::Click, three, 10);
    for column in [three + 1, three + 2, six] {
        mouse(&mut driver, MouseAction::Drag, column, 12);
    }
    mouse(&mut driver, MouseAction::Release, three, 10);
    assert_eq!(driver.app.settings.k, 6);
    let driver = driver.keys("u");
    assert_eq!(driver.app.settings.k, 3);
}
