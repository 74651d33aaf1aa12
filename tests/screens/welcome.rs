//! The card that a newcomer sees first.

use simscope::app::Overlay;

use super::driver::Driver;

#[test]
fn the_next_key_closes_the_card_and_does_what_it_does() {
    for (width, height) in [(80, 24), (40, 12), (120, 35)] {
        let mut driver = Driver::sample(width, height);
        driver.app.overlay = Some(Overlay::Welcome);
        insta::assert_snapshot!(format!("welcome-{width}x{height}"), driver.picture());
        let driver = driver.keys("j");
        assert!(driver.app.overlay.is_none());
        assert_eq!(driver.app.docs.cursor.selected, 1);
    }
}

/// Space is the usual key to go on; it would mark the first document.
#[test]
fn space_closes_the_card_and_marks_nothing() {
    let mut driver = Driver::sample(80, 24);
    driver.app.overlay = Some(Overlay::Welcome);
    let driver = driver.keys("<space>");
    assert!(driver.app.overlay.is_none());
    assert!(driver.app.review.rule.marks.is_empty());
}
