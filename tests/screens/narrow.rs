//! Small screens: the most important content stays, and says what it is.

use super::driver::Driver;

#[test]
fn a_screen_that_is_too_small_says_so_in_whole_words() {
    let screen = Driver::sample(30, 8).screen().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(screen.contains("40x10 needed, now 30x8; q quits"), "{screen}");
}

/// A filter and its count are whole: the name of the corpus gives way.
#[test]
fn a_filter_is_readable_on_a_narrow_screen() {
    for (size, keys, shown) in [
        ((40, 10), "fis:near<enter>", "40 pass"),
        ((60, 16), "fis:near<enter>", " is:near (40)   [Docs] Bits"),
        ((60, 16), "s", " by near   [Docs] Bits"),
        ((100, 16), "fis:near<enter>s", "sample.jsonl   by near   filter: is:near (40)   [Docs]"),
    ] {
        let screen = Driver::sample(size.0, size.1).keys(keys).screen();
        assert!(screen.contains(shown), "{size:?}: {screen}");
    }
}

/// The praise is at the end of a page, so the page is scrolled there; the next key is named.
#[test]
fn a_right_answer_shows() {
    for (width, height) in [(40, 10), (60, 16), (80, 24)] {
        let driver = Driver::sample(width, height).keys("6<enter>");
        assert!(!driver.screen().contains("Right."), "{}", driver.screen());
        let driver = driver.keys("a30<enter>");
        let screen = driver.screen();
        assert!(screen.contains("Right. 30 of 64 bits."), "{screen}");
        assert!(screen.contains("Enter shows the whole picture."), "{screen}");
        assert!(driver.keys("<enter>").screen().contains("the tide came in"), "the picture");
    }
}

/// Space draws a line, and at any size the sentences and the bits of both vectors show it, each in rows of its own.
#[test]
fn every_line_of_the_angle_shows() {
    for width in [40, 60, 72, 79, 100, 112] {
        for height in 10..30 {
            let screen = Driver::sample(width, height).keys("6vv<space><space><space>").screen();
            let shown = ["3 lines drawn", "0.823", "0.99)"];
            let said = screen.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.iter().all(|it| said.contains(it)), "{width}x{height}: {screen}");
            for bits in ["A  ██○", "B  ██●"] {
                let is_alone = |row: &str| row.trim_matches(['│', ' ']) == bits;
                assert!(screen.lines().any(is_alone), "{width}x{height}: {screen}");
            }
        }
    }
    for (width, height) in [(60, 24), (79, 30), (100, 24)] {
        let screen = Driver::sample(width, height).keys("6vv<space><space><space>").screen();
        assert!(screen.contains("●A"), "a picture at {width}x{height}: {screen}");
    }
    // Beside a lesson there is room for whole sentences above the picture.
    let screen = Driver::sample(112, 30).keys("6jjj<enter><space><space><space>").screen();
    let shown = ["3 lines drawn, 1 separate them", "●A", "│ A  █●█"];
    assert!(shown.iter().all(|it| screen.contains(it)), "{screen}");
}

/// Where there is no room for the number of documents, a sign says that there are more than one.
#[test]
fn a_distance_is_whole_in_every_width() {
    for width in 77..=82 {
        let screen = Driver::sample(width, 24).keys("<enter>3").screen();
        let mut rows = screen.lines().filter(|row| row.starts_with('┃'));
        assert!(rows.all(|row| !row.contains('…')), "{width}: {screen}");
        assert!(screen.contains(" Q◆"), "{width}: {screen}");
    }
    let screen = Driver::sample(78, 24).keys("<enter>3").screen();
    assert!(screen.contains(" Q◆+"), "{screen}");
}

/// As many rows are named as are shown, with whole numbers.
#[test]
fn rows_of_a_table_are_those_that_its_title_names() {
    for (width, height) in [(40, 10), (40, 12), (60, 16), (80, 24)] {
        let driver = Driver::sample(width, height).keys("<enter>3");
        let screen = driver.screen();
        let window = driver.app.tables.window.as_ref().unwrap();
        let rows = window.first + 1..=window.first + window.rows.len();
        assert!(
            screen.contains(&format!("rows {}-{} of 87", rows.start(), rows.end())),
            "{screen}"
        );
        for row in rows {
            let number = format!("{row:>3} ");
            assert!(
                screen.lines().any(|it| it
                    .chars()
                    .skip(2)
                    .collect::<String>()
                    .starts_with(&number)),
                "{row}: {screen}"
            );
        }
    }
}

/// An axis without bars says nothing: the list has its rows.
#[test]
fn distances_without_room_for_bars_are_a_list() {
    let screen = Driver::sample(40, 10).keys("4t").screen();
    assert!(!screen.contains("╰") && screen.contains("▶   3"), "{screen}");
    assert!(screen.lines().filter(|row| row.ends_with(" .96     .39")).count() == 1, "{screen}");
}

/// The policy is named where its outcome has no row.
#[test]
fn another_policy_says_what_it_keeps() {
    for (width, height) in [(40, 10), (60, 16), (80, 24)] {
        let screen = Driver::sample(width, height).keys("<tab>p").screen();
        assert!(screen.contains("policy longest; w writes"), "{screen}");
    }
}

/// The keys of a prompt are in the last row, as those of a view.
#[test]
fn a_prompt_names_its_keys() {
    for (width, height) in [(40, 10), (60, 16), (80, 24), (140, 40)] {
        for prompt in ["X", "/", "f", "<tab>w", "4va", "6<enter>a"] {
            let screen = Driver::sample(width, height).keys(prompt).screen();
            let last = screen.lines().last().unwrap();
            assert!(
                last.contains("Enter done") && last.contains("Esc cancel"),
                "{prompt}: {screen}"
            );
        }
    }
}

/// The view without two recipes says what makes them.
#[test]
fn compare_says_how_to_get_two_recipes() {
    let driver = Driver::sample(80, 24).keys("4vv<tab>j");
    let notice = driver.app.notice.clone().unwrap_or_default();
    assert!(notice.contains("r changes the recipe or its k"), "{notice}");
    assert!(driver.screen().contains(" more"), "{}", driver.screen());
}

/// A task that asks for all votes shows all of them.
#[test]
fn votes_to_add_up_are_all_there() {
    let screen = Driver::sample(60, 16).keys("6j<enter><enter><enter><enter>").screen();
    assert!(
        ["hello x1", "world x1", "simhash x1"].iter().all(|it| screen.contains(it)),
        "{screen}"
    );
    assert!(screen.contains("Press a and type the eight bits"), "{screen}");
}

/// A lesson at its end names one way on.
#[test]
fn the_end_of_a_lesson_names_one_key_for_one_thing() {
    let keys = "6<enter>a30<enter><enter><enter>a0<enter><enter><enter>a12/13<enter>";
    let screen = Driver::sample(80, 24).keys(keys).screen();
    assert!(screen.contains("Enter shows the whole picture."), "{screen}");
    assert!(
        screen.contains("1 of 12 lessons done") && !screen.contains("Enter goes on"),
        "{screen}"
    );
}

/// Short lists leave their rows to what is below them.
#[test]
fn short_lists_have_no_blank_rows() {
    for (keys, last) in [("4v", "5x18"), ("4v<enter>", "5x18")] {
        let screen = Driver::sample(100, 30).keys(keys).screen();
        let at =
            screen.lines().position(|row| row.trim_start_matches(['▶', ' ']).starts_with(last));
        let next = screen.lines().nth(at.unwrap() + 1).unwrap();
        assert!(next.starts_with('─'), "{screen}");
    }
}
