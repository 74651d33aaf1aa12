//! The README shows what the program really draws.

use std::{path::Path, process::Command};

#[test]
fn the_picture_is_the_programs_own() {
    let readme = include_str!("../../README.md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pictures: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("<!-- simscope ")).collect();
    assert!(!pictures.is_empty(), "the README has a picture");
    for picture in pictures {
        let (command, file) = picture.trim_end_matches(" -->").split_once(" > ").unwrap();
        assert!(
            [format!("]({file})"), format!("\"{file}\"")].iter().any(|it| readme.contains(it)),
            "{file} is shown"
        );
        let args = command.split(' ').map(|word| word.trim_matches('"'));
        let run = Command::new(env!("CARGO_BIN_EXE_simscope")).args(args).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let drawn = String::from_utf8(run.stdout).unwrap();
        let shown = std::fs::read_to_string(root.join(file)).unwrap();
        assert!(shown == drawn, "make {file} anew: simscope {picture}");
    }
}
