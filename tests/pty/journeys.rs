//! Ways through the screens on terminals of several kinds, and a terminal that changes its size all the time.

use super::harness::Pty;

/// The keys of a screen, and words that it shows.
const WAY: [(&str, &str); 7] = [
    ("\t", "all texts"),
    ("4", "each k"),
    ("v", "layouts for k"),
    ("v", "log-tf"),
    ("6", "A hash that keeps neighbours together"),
    ("v", "the tide came in over the rocks"),
    ("v ", "1 line drawn"),
];

#[test]
fn every_screen_shows_on_every_kind_of_terminal() {
    let kinds: [&[(&str, &str)]; 4] =
        [&[("TERM", "dumb")], &[("TERM", "linux")], &[("NO_COLOR", "1")], &[("TERM", "vt100")]];
    for kind in kinds {
        let mut pty = Pty::open_with(&[], kind);
        pty.settles();
        for (keys, words) in WAY {
            pty.keys(keys);
            pty.shows(words);
        }
        pty.keys("q");
        let ended = pty.ends();
        assert_eq!(ended.status, 0, "{kind:?}: {}", ended.screen);
        let text = String::from_utf8_lossy(&ended.bytes).into_owned();
        let is_plain = kind[0].1 != "1";
        assert!(!is_plain || !text.contains("38;5;") && !text.contains("38;2;"), "{kind:?}");
    }
}

#[test]
fn a_storm_of_sizes_ends_in_a_whole_screen() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    for (keys, _) in WAY {
        pty.keys(keys);
        for (width, height) in
            [(200, 60), (40, 10), (1, 1), (120, 30), (5, 50), (300, 80), (80, 24)]
        {
            pty.resize(width, height);
        }
    }
    // The terminal loses cells when it shrinks, and sizes that follow each other at once can reach the program as none.
    pty.shows("1 line drawn");
    pty.shows("q quit");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}
