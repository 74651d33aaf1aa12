//! The README shows what the program really prints.

use super::driver::Driver;

#[test]
fn the_picture_is_the_programs_own() {
    let readme = include_str!("../../README.md");
    let shown = readme
        .split("<!-- picture: simscope --keys \"<enter>jjj\" --size 80x24 --print -->\n```text\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("the README has a picture");
    let drawn = Driver::sample(80, 24).keys("<enter>jjj").screen();
    assert_eq!(shown, drawn, "paste the program's own output into the README");
}
