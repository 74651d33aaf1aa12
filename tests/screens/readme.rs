//! The README and the manual show what the program really draws.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use simscope::manual::PAGES;

#[test]
fn pictures_are_the_programs_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = [("README", include_str!("../../README.md"), "assets/")];
    let manual = PAGES.iter().map(|page| (page.topic, page.text, "../"));
    let mut pictures = BTreeMap::new();
    for (name, text, folder) in readme.into_iter().chain(manual) {
        for picture in text.lines().filter_map(|line| line.strip_prefix("<!-- simscope ")) {
            let (command, file) =
                picture.trim_end_matches(" -->").split_once(" > assets/").unwrap();
            let shown = format!("{folder}{file}");
            let ways = [format!("]({shown})"), format!("\"{shown}\"")];
            assert!(ways.iter().any(|way| text.contains(way)), "{name}: {file} is shown");
            let same = pictures.entry(file).or_insert(command);
            assert_eq!(*same, command, "{name}: {file} is drawn by one command");
        }
    }
    assert!(pictures.len() > 5, "the README and the manual have pictures");
    for (file, command) in pictures {
        let args = command.split(' ');
        let run = Command::new(env!("CARGO_BIN_EXE_simscope")).args(args).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let drawn = String::from_utf8(run.stdout).unwrap();
        let shown = std::fs::read_to_string(root.join("assets").join(file)).unwrap();
        assert!(shown == drawn, "make {file} anew: simscope {command}");
    }
}
