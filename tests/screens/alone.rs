//! One part of a screen alone.

use super::driver::Driver;

#[test]
fn a_part_alone_has_the_whole_body_and_gives_it_back() {
    for (width, height) in [(80, 24), (120, 35), (40, 12)] {
        let driver = Driver::sample(width, height).keys("<enter><enter>z");
        if width == 120 {
            insta::assert_snapshot!("alone-tables-120x35", driver.screen());
        }
        let back = driver.keys("z");
        let never = Driver::sample(width, height).keys("<enter><enter>");
        assert_eq!(back.screen(), never.screen(), "{width}x{height}");
    }
}
