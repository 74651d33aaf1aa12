//! The Learn screen: every lesson can be done from the keyboard, and only by doing it.

use simscope::{
    analysis::{Alike, AlikeBy, Settings},
    app::{
        Effect, Message,
        custom_keys::Keymap,
        keymap,
        screen::{Screen, ViewId, learn::lessons::FILES},
        update,
    },
};

use super::driver::{Driver, sample, settings};

/// The views of the Learn screen.
const VIEWS: [ViewId; 8] = [
    ViewId::Lessons,
    ViewId::Hashes,
    ViewId::Playground,
    ViewId::Step,
    ViewId::Blocks,
    ViewId::Angle,
    ViewId::Bench,
    ViewId::Wear,
];

/// Each lesson, and for each page with a task keys that do it wrong and keys that do it.
const DONE_BY: [(&str, &[(&str, &str)]); 13] = [
    (
        "neighbours",
        &[
            ("a3<enter>", "a30<enter>"),
            ("a5<enter>", "a0<enter>"),
            ("a11/12<enter>", "a12/13<enter>"),
        ],
    ),
    (
        "eight-bits",
        &[
            ("<space><space>b", "<space><space>"),
            ("a11010111<enter>", "a1101 0110<enter>"),
            ("", "lllllll"),
        ],
    ),
    ("order", &[("a32<enter>", "a0<enter>"), ("w", "s"), ("a3<enter>", "a1<enter>")]),
    (
        "domination",
        &[
            ("<space><space>a1111<enter>a01001<enter>", "a1001<enter>"),
            ("a21<enter>", "a0<enter>"),
            ("w", "w"),
        ],
    ),
    ("ties", &[("a64<enter>", "a30<enter>"), ("e<bs>n<esc>", "e tide<esc>")]),
    ("angle", &[("hhhhhhhhhha13.1<enter>a19.2<enter>", "a16<enter>"), ("<space>", "G")]),
    (
        "three-bits",
        &[
            ("a60%<enter>llllllllllllllll", "a15 %<enter>"),
            ("a0.96<enter>", "a0.957<enter>"),
            ("hhhhhhhhhhh", "llllllll"),
            ("a0.00004<enter>", "a25,000<enter>"),
        ],
    ),
    ("wear", &[("a3<enter>", "a12<enter>"), ("a3<enter>", "a15,0<enter>")]),
    (
        "tables",
        &[
            ("nn", "n"),
            ("<space>l<space>l<space>l<space>", "x<space>L<space>L<space>"),
            ("a64<enter>", "a65,536<enter>"),
            ("l<space>", "xHHHH<space>L<space>L<space>L<space>"),
        ],
    ),
    (
        "six-blocks",
        &[
            ("a6<enter>", "a20<enter>"),
            ("<space>l<space>l<space>", "x<space>L<space>L<space>"),
            ("a262,144<enter>", "nnn"),
        ],
    ),
    (
        "bands",
        &[
            ("<space>", "L<space>L<space>"),
            ("a0.5<enter>a6%<enter>", "a17 %<enter>"),
            ("a0.983<enter>", "a0.94<enter>"),
        ],
    ),
    ("precision", &[("h", "hk"), ("h", "hhhhhhhh"), ("h", "llllllllll"), ("p", "clllllll")]),
    (
        "choose-k",
        &[
            ("a12<enter>", "a17<enter>"),
            ("a6<enter>", "a29<enter>"),
            ("4", "vv<enter>ynynyn<esc>6"),
            ("llll", "cllllllll"),
            ("4", "VVllll6a16%<enter>"),
        ],
    ),
];

fn lesson(number: usize) -> Driver {
    lesson_at(number, 80, 24)
}

fn lesson_at(number: usize, width: u16, height: u16) -> Driver {
    // As a learner opens the program.
    let driver = Driver::open(sample(), Settings::default(), width, height);
    driver.keys(&format!("6{}<enter>", "j".repeat(number)))
}

/// Goes on until the open page waits for something to be done, with the picture in view.
fn to_the_task(mut driver: Driver) -> Driver {
    for _ in 0..20 {
        let lessons = &driver.app.learn.lessons;
        let is_task = lessons.open_page().is_some_and(|page| !page.task.is_empty());
        let beside = driver.app.size.width >= 100;
        if is_task && !lessons.is_page_done() && (beside || !lessons.shows_text) {
            return driver;
        }
        driver = driver.keys("<enter>");
    }
    panic!("no task is come to:\n{}", driver.screen());
}

#[test]
fn every_lesson_is_done_by_doing_it() {
    for (width, height) in [(80, 24), (120, 35)] {
        for (number, ((name, tasks), (file, _))) in DONE_BY.iter().zip(FILES).enumerate() {
            assert_eq!(*name, file);
            let mut driver = lesson_at(number, width, height);
            for (at, (wrong, right)) in tasks.iter().enumerate() {
                driver = to_the_task(driver);
                assert!(!driver.screen().contains("Not yet"), "{}", driver.screen());
                driver = driver.keys(wrong);
                let page = driver.app.learn.lessons.page;
                let is_open = |driver: &Driver| {
                    let lessons = &driver.app.learn.lessons;
                    (lessons.page, lessons.is_page_done()) == (page, false)
                };
                let task = format!("{name}, task {}", at + 1);
                assert!(is_open(&driver), "{task} is done by {wrong}:\n{}", driver.screen());
                driver = driver.keys(right);
                let is_done = driver.app.learn.lessons.n_done > page;
                assert!(is_done, "{task} is not done by {right}:\n{}", driver.screen());
            }
            // Pages without a task may follow the last one.
            while driver.app.learn.lessons.active == Some(number)
                && !driver.app.learn.lessons.has_passed()
            {
                driver = driver.keys("<enter>");
            }
            let is_done = driver.app.learn.lessons.is_done(number);
            assert!(is_done, "{name} is not done:\n{}", driver.screen());
        }
    }
}

#[test]
fn going_on_alone_finishes_no_lesson_and_shows_every_text() {
    for (width, height) in [(80, 24), (120, 35), (40, 12)] {
        for number in 0..FILES.len() {
            let mut driver = lesson_at(number, width, height);
            let mut seen = String::new();
            for _ in 0..40 {
                seen += &driver.screen();
                driver = driver.keys("<enter>");
            }
            assert!(driver.app.learn.lessons.done.is_empty(), "{}", driver.screen());
            // Every word of the pages passed was on the screen.
            let lesson = &driver.app.learn.lessons.all[number];
            let pages = &lesson.pages[..=driver.app.learn.lessons.page];
            let words = pages.iter().flat_map(|page| &page.paragraphs);
            for word in words.flat_map(|text| text.split_whitespace()) {
                let is_live = word.contains('{');
                assert!(is_live || seen.contains(word), "{number} {word} at {width}x{height}");
            }
        }
    }
}

/// The same evidence gives the same answer on both screens: a search by distance is worth the same.
#[test]
fn bench_and_tune_tell_the_same_of_each_k() {
    // Bench takes the cosines of the recipe.
    let alike = Alike { by: AlikeBy::Recipe, ..Alike::default() };
    let settings = Settings { alike, ..settings() };
    let mut driver = Driver::open(sample(), settings, 120, 35).keys("4").keys("6vvvvvvc");
    for _ in 0..25 {
        driver = driver.keys("l");
        let (app, bench) = (&driver.app, &driver.app.learn.bench);
        let found = bench.row().expect("the pairs are counted").found;
        let advice = app.tune.distances.tuning.as_ref().and_then(|it| it.threshold_row(bench.k));
        let row = advice.expect("cosines are known");
        let close = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-9,
            (a, b) => a == b,
        };
        assert!(close(found.recall(), row.window_recall.value), "k={}: {row:?}", bench.k);
        assert!(close(found.precision(), row.cumulative.value), "k={}: {row:?}", bench.k);
    }
}

/// The notice of a driver.
fn notice(driver: &Driver) -> String {
    driver.app.notice.clone().unwrap_or_default()
}

#[test]
fn a_wrong_answer_has_its_own_reason_and_hides_no_help() {
    let driver = to_the_task(lesson(3)).keys("<space><space>a1111<enter>");
    assert!(notice(&driver).contains("that is the hash of \"bit\""), "{}", driver.screen());
    let driver = driver.keys("a110<enter>");
    assert!(notice(&driver).contains("write all four bits"), "{}", driver.screen());
    // The reason stands on the page as well, beside the picture.
    let driver = to_the_task(lesson_at(3, 120, 35)).keys("<space><space>a1111<enter>");
    assert!(driver.screen().contains("Not yet: that is the hash of"), "{}", driver.screen());
    let driver = driver.keys("a1001<enter>");
    assert!(driver.screen().contains("Right. The sums are 1.6"));
    // More flipped bits than needed lose the pair as well, and are told to be too many.
    let driver = to_the_task(lesson_at(8, 120, 35).keys("nnn<enter>"));
    let driver = driver.keys("<space>l<space>l<space>l<space>");
    assert!(driver.screen().contains("Not yet: more than three bits"), "{}", driver.screen());
}

#[test]
fn the_number_that_is_asked_for_is_hidden_until_it_is_answered() {
    for (number, hidden) in [
        (0, "of 64 bits"),
        (1, "so 1"),
        (2, "distance 0 of 64"),
        (3, "1.6"),
        (4, "tied"),
        (6, "15.9 %"),
        (7, "1 of 20 words ("),
        (8, "65,536"),
    ] {
        let mut driver = to_the_task(lesson_at(number, 140, 40));
        let steps = match number {
            8 => 2,
            _ => 0,
        };
        let tasks = DONE_BY[number].1;
        for (_, right) in &tasks[..steps] {
            driver = to_the_task(driver.keys(if number == 8 { "nnn" } else { "" }).keys(right));
            driver = to_the_task(driver.keys("<enter>"));
        }
        let keys = if number == 6 { "llllllllllllllll" } else { "<space><space>" };
        let driver = driver.keys(keys);
        assert!(!driver.screen().contains(hidden), "{hidden}: {}", driver.screen());
        // Nor do the explained numbers tell it.
        let told = driver.keys("?<tab>").screen();
        assert!(!told.contains(hidden), "{hidden}: {told}");
    }
    let screen = to_the_task(lesson_at(4, 140, 40)).keys("a30<enter>").screen();
    assert!(screen.contains("tied"), "{screen}");
}

#[test]
fn a_state_that_is_only_passed_by_does_not_count() {
    // Three words have no tie, four have some.
    let driver = to_the_task(lesson_at(4, 120, 35)).keys("a30<enter>");
    let driver = to_the_task(driver).keys("e shell tide<esc>");
    assert!(driver.screen().contains("Not yet: four words can tie"), "{}", driver.screen());
    assert!(driver.keys("e<c-w><esc>").screen().contains("Right. With 3 words"));
    // Bench passes a good setting on the way to a bad one.
    let driver = to_the_task(lesson_at(11, 120, 35)).keys("hhk");
    assert!(driver.screen().contains("Right. recall 0.86"), "{}", driver.screen());
    let driver = driver.keys("j");
    assert!(driver.screen().contains("Not yet:"), "{}", driver.screen());
    // A page that was turned stays done.
    let driver = driver.keys("k<enter>j[");
    assert!(driver.app.learn.lessons.is_page_done(), "{}", driver.screen());
    // A right number before the rest of the task says what is left.
    let driver = to_the_task(lesson_at(6, 120, 35)).keys("a16%<enter>");
    assert!(notice(&driver).contains("Turn the vectors to 0.96 first"), "{}", notice(&driver));
}

#[test]
fn an_answer_reveals_at_once_and_the_praise_is_of_the_present_state() {
    let driver = to_the_task(lesson_at(0, 120, 35)).keys("a30<enter>");
    assert!(driver.screen().contains("30 of 64 bits differ; of any"), "{}", driver.screen());
    // Both settings are good, and the second one is told.
    let recall = |driver: &Driver| driver.app.learn.bench.row().and_then(|row| row.found.recall());
    let driver = to_the_task(lesson_at(11, 120, 35)).keys("hhhh");
    let before = recall(&driver);
    let driver = driver.keys("hhhhh");
    let now = recall(&driver).expect("the pairs are counted");
    assert_ne!(Some(now), before);
    assert!(driver.screen().contains(&format!("Right. recall {now:.2}")), "{}", driver.screen());
    // A text longer than its place shows its end.
    let driver = to_the_task(lesson_at(6, 120, 35)).keys("lllllllllllllllla16%<enter><enter>");
    let driver = to_the_task(driver).keys("a0.957<enter><enter>hhh");
    assert!(driver.screen().contains("Enter goes on."), "{}", driver.screen());
}

/// The walk shows how a pair with differing bits is found; then the learner flips bits of equal fingerprints.
#[test]
fn the_walk_of_tables_is_on_a_pair_that_differs() {
    let driver = to_the_task(lesson_at(8, 120, 35)).keys("nnn");
    assert_eq!(driver.app.learn.game.damage, 1 << 40 | 1 << 5);
    let screen = driver.screen();
    assert!(screen.contains("Right. Found at a distance of 2"), "{screen}");
    assert!(screen.contains("d = 2 <= k = 3: candidate in 2 of 4 tables, found"), "{screen}");
    assert_eq!(to_the_task(driver.keys("<enter>")).app.learn.game.damage, 0);
}

#[test]
fn esc_loses_no_work_and_enter_goes_on_where_it_was_left() {
    let driver = to_the_task(lesson(8)).keys("nnn");
    let driver = to_the_task(driver.keys("<enter>")).keys("<space>L<space>");
    let damage = driver.app.learn.game.damage;
    let driver = driver.keys("<esc><enter>");
    assert_eq!((driver.app.learn.game.damage, driver.app.learn.lessons.page), (damage, 1));
    // Another one begins anew, and x leaves the lesson.
    let driver = driver.keys("<esc>k<enter><esc>");
    assert_eq!(driver.app.learn.lessons.active, Some(7));
    assert_eq!(driver.keys("x").app.learn.lessons.active, None);
}

#[test]
fn a_lesson_has_a_k_and_a_width_of_its_own() {
    let settings =
        simscope::analysis::Settings { recipe: "bits=128".parse().unwrap(), k: 9, ..settings() };
    let driver = Driver::open(sample(), settings, 120, 35).keys("6jjjjjj<enter>");
    assert_eq!((driver.app.learn_k(), driver.app.learn_bits()), (3, 64));
    assert_eq!((driver.app.settings.k, driver.app.settings.recipe.bits), (9, 128));
    let driver = driver.keys("<esc>x");
    assert_eq!((driver.app.learn_k(), driver.app.learn_bits()), (9, 128));
}

#[test]
fn the_page_before_is_shown_again_and_stays_done() {
    let driver = to_the_task(lesson_at(1, 120, 35)).keys("<space><space><space><enter>[");
    let lessons = &driver.app.learn.lessons;
    assert_eq!((lessons.page, lessons.is_page_done()), (0, true));
    assert!(driver.screen().contains(" 1/3 "), "{}", driver.screen());
    assert!(notice(&driver.keys("[")).contains("this is the first page"));
}

#[test]
fn a_finished_lesson_leads_to_the_next_one() {
    let done = |width: u16, height: u16| {
        let mut driver = lesson_at(4, width, height);
        for (_, right) in DONE_BY[4].1 {
            driver = to_the_task(driver).keys(right);
        }
        driver
    };
    let driver = done(80, 24);
    assert!(driver.screen().contains("Enter goes on to lesson 6."), "{}", driver.screen());
    let driver = done(120, 35);
    assert!(driver.screen().contains("Enter goes on to lesson 6."), "{}", driver.screen());
    assert_eq!(driver.keys("<enter>").app.learn.lessons.active, Some(5));
    // In Tune it is said how to come back.
    let driver = to_the_task(lesson(12)).keys("a17<enter>");
    let driver = to_the_task(driver).keys("a29<enter>");
    let driver = to_the_task(driver).keys("4vv<enter>ynynyn<esc>");
    assert!(notice(&driver).contains("6 and Enter go on"), "{}", driver.screen());
    let driver = driver.keys("6");
    let driver = to_the_task(driver).keys("cllllllll");
    let driver = to_the_task(driver).keys("4VVllll6a16%<enter>");
    assert!(notice(&driver).contains("Enter goes on to lesson 1"), "{}", driver.screen());
    assert_eq!(driver.keys("6<enter>").app.learn.lessons.active, Some(0));
}

/// An earlier version kept the names of its quizzes with those of lessons.
#[test]
fn what_is_no_lesson_any_more_counts_for_nothing() {
    let mut driver = Driver::sample(140, 40);
    driver.app.learn.lessons.done.extend(["quiz 42", "blind 7", "ties"].map(str::to_owned));
    let screen = driver.keys("6").screen();
    assert!(screen.contains("1 of 13 done") && !screen.contains("quiz"), "{screen}");
}

#[test]
fn the_keys_a_view_needs_are_in_the_footer() {
    for (keys, needed) in [
        ("6", &["Enter begin", "J/K scroll"][..]),
        ("6vv", &["e edit", "d from corpus", "s/w/B own recipe"]),
        ("6jjj<enter><enter>", &["a answer", "e edit", "Enter go on"]),
        ("6vve", &["typing into one", "Tab other text", "Esc done"]),
        ("6vvv", &["Space/b vote", "h/l bit", "e edit"]),
        ("6vvvv", &["Space/b flip", "c/C layout", "n/N walk"]),
        ("6jjjjj<enter><enter>", &["a answer", "Space/b line", "h/l turn"]),
        ("6jjjjjjj<enter>", &["a answer", "d other words"]),
    ] {
        let driver = Driver::sample(80, 24).keys(keys);
        let footer = driver.screen().lines().last().unwrap().to_owned();
        assert!(needed.iter().all(|needed| footer.contains(needed)), "{keys}: {footer}");
    }
    let of_learn = keymap::KEYMAP
        .iter()
        .filter(|row| ViewId::ALL.iter().all(|it| VIEWS.contains(it) || !row.views.contains(*it)));
    for binding in of_learn {
        assert!(binding.help.len() <= 60, "cut in the list of keys: {}", binding.help);
    }
}

#[test]
fn three_blocks_and_three_bands_lose_to_three_bits() {
    for (layouts, said) in
        [("C", "1 of 3 blocks as key: guaranteed to d=2"), ("ccccc", "3 bands of 18 bits")]
    {
        let driver = Driver::sample(80, 24).keys("6vvvv").keys(layouts);
        let screen = driver.screen();
        assert!(screen.contains(said) && screen.contains("may miss at k=3"), "{screen}");
        let blocks = driver.app.learn.game.layout().block_list()[0].width as usize;
        let driver = driver.keys(&format!("<space>{}", "l".repeat(blocks)).repeat(3));
        assert!(driver.screen().contains("candidate in 0 of"), "{}", driver.screen());
    }
}

#[test]
fn a_text_that_is_cut_and_bits_that_mislead_are_told() {
    let long = (0..600).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let row = format!("{{\"text\":\"{long}\"}}\n");
    let bytes = Box::leak(row.into_bytes().into_boxed_slice());
    let input = vec![simscope::corpus::Input::Bundled { name: "long.jsonl", bytes }];
    let driver = Driver::open(input, settings(), 80, 24).keys("6vvd");
    let screen = driver.screen();
    assert!(screen.contains("one: only its first 2,000 characters"), "{screen}");
    let screen = driver.keys("e<c-u><esc>").screen();
    assert!(!screen.contains("only its first"), "{screen}");
    // One heavy word: equal bits, and a cosine far from what they say.
    let texts = "6vve<c-u>apple banana banana<tab><c-u>cherry banana banana<esc>";
    let screen = Driver::sample(80, 24).keys(texts).screen();
    assert!(screen.contains("cosine 0.741 is outside"), "{screen}");
}

#[test]
fn angle_says_how_many_lines_it_shows_and_draws_no_pairs_at_distances() {
    let screen = Driver::sample(80, 24).keys("6vvvvv<space>").screen();
    assert!(screen.contains("1 line drawn") && !screen.contains("the last 24"), "{screen}");
    let screen = Driver::sample(80, 24).keys("6vvvvvG").screen();
    assert!(
        screen.contains("64 lines drawn") && screen.contains("the picture has the last 24"),
        "{screen}"
    );
    assert!(!screen.contains("pairs to d="), "{screen}");
    // A share that rounds to nothing is not nothing.
    let screen = Driver::sample(80, 24).keys("6vvvvvhhhhhhhhhh").screen();
    assert!(screen.contains("k=3 finds less than 0.1 %"), "{screen}");
}

#[test]
fn candidate_and_found_are_two_words_in_tables() {
    let block = format!("<space>{}", "l".repeat(16));
    let four_in_one = "<space>l<space>l<space>l<space>";
    for (keys, said) in [
        ("", "d = 0 <= k = 3: candidate in 4 of 4 tables, found"),
        ("<space>l<space>", "d = 2 <= k = 3: candidate in 3 of 4 tables, found"),
        (four_in_one, "d = 4 > k = 3: candidate in 3 of 4 tables, rejected"),
        (&block.repeat(4), "d = 4 > k = 3: candidate in 0 of 4 tables, correctly not found"),
    ] {
        let screen = Driver::sample(80, 24).keys(&format!("6vvvv{keys}")).screen();
        assert!(screen.contains(said), "{said}: {screen}");
    }
    // Three blocks and three bits: near, and missed all the same.
    let block = format!("<space>{}", "l".repeat(22));
    let screen = Driver::sample(80, 24).keys(&format!("6vvvvC{}", block.repeat(3))).screen();
    assert!(screen.contains("d = 3 <= k = 3: candidate in 0 of 3 tables, missed"), "{screen}");
    // The one that is looked for is not marked.
    let screen = Driver::sample(80, 24).keys("6vvvvnn").screen();
    assert!(
        screen.contains("marked rows have the same key: candidates") && !screen.contains("▶one"),
        "{screen}"
    );
}

#[test]
fn wear_changes_one_word_in_texts_of_several_lengths() {
    let screen = Driver::sample(140, 40).keys("6vvvvvvv").screen();
    for said in [
        "1 of 20 words",
        "1 of 80 words",
        "1 of 244 words",
        "24 of 244 words",
        "each under a new hash",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    let driver = Driver::sample(140, 40).keys("6vvvvvvv");
    let worn = driver.app.learn.wear.worn.answer().unwrap();
    let means: Vec<f64> = worn
        .wear
        .as_ref()
        .unwrap()
        .iter()
        .map(simscope::explain::perturbation::PerturbationRow::mean)
        .collect();
    assert!(means[0] > 1.5 * means[1] && means[1] > 1.3 * means[2], "{means:?}");
}

#[test]
fn what_is_done_is_asked_to_be_remembered_once() {
    let mut driver = to_the_task(lesson(4));
    let mut remembered = Vec::new();
    let keys = "a30<enter><enter><enter>e tide<esc>jjkk";
    for key in keys.parse::<simscope::app::Keys>().unwrap().0 {
        let effects = update(&mut driver.app, Message::Key(key));
        let names = effects.into_iter().filter_map(|effect| match effect {
            Effect::Remember(names) => Some(names),
            _ => None,
        });
        remembered.extend(names);
    }
    assert_eq!(remembered, [["ties".to_owned()]]);
}

#[test]
fn views_at_three_sizes() {
    let views = [
        ("lessons", "6j"),
        ("hashes", "6v"),
        ("playground", "6vvd"),
        ("step", "6vvv<space><space><space>lll"),
        ("game", "6vvvv<space>llllllllllllllllllll<space>nn"),
        ("angle", "6vvvvv<space><space><space><space><space>hhhhh"),
        ("bench", "6vvvvvvphh"),
        ("wear", "6vvvvvvv"),
    ];
    // Their other states, at one size.
    let states = [
        ("playground-typing", "6vve and back<esc>ex"),
        ("step-document", "6vvvd<space><space>"),
        ("lesson-begun", "6j<enter><space>"),
        ("lesson-done", "6j<enter><space><space><space>h"),
        ("lesson-wrong", "6jjj<enter><space><space>a1111<enter>h"),
        ("typed", "6vve<c-u>coin:1.2=1001 bit:0.4=1111<esc>BBBBv<space><space>"),
        ("game-bands", "6vvvvcccccc<space>"),
        ("angle-bits", "6vvvvvGG"),
        ("lesson-long", "6jjjjjjjj"),
        ("bench-k", "6vvvvvvcnnn"),
        ("lesson-bench", "6jjjjjjjjjjj<enter>"),
    ];
    let snapshot = |name, keys, (width, height)| {
        let driver = Driver::sample(width, height).keys(keys);
        insta::assert_snapshot!(format!("learn-{name}-{width}x{height}"), driver.picture());
    };
    for (name, keys) in views {
        snapshot(name, keys, (140, 40));
        snapshot(name, keys, (40, 12));
    }
    for (name, keys) in views.into_iter().chain(states) {
        snapshot(name, keys, (80, 24));
        let screen = Driver::sample(80, 24).keys(keys).ascii().picture();
        assert!(screen.is_ascii(), "{name}:\n{screen}");
    }
}

#[test]
fn every_key_on_every_view_and_size_is_no_trouble() {
    let bindings = VIEWS.iter().flat_map(|view| Keymap::default().bindings(*view));
    let keys: Vec<_> = bindings.flat_map(|binding| binding.keys.iter().copied()).collect();
    for (width, height) in [(0, 0), (39, 9), (40, 10), (60, 16), (80, 24), (200, 60)] {
        for view in 0..8 {
            let mut driver = Driver::sample(width, height).keys(&format!("6{}", "v".repeat(view)));
            for &key in keys.iter().filter(|key| !"1234".contains(&key.to_string())) {
                if driver.app.overlay.is_none() && !driver.left {
                    driver.send(Message::Key(key));
                }
                driver.app.overlay = None;
                driver.app.learn.playground.editing = false;
                driver.app.screen = Screen::Learn;
            }
        }
    }
}

#[test]
fn what_plays_moves_with_the_ticks_and_stops_at_the_end() {
    let mut driver = Driver::sample(80, 24).keys("6vvvp");
    assert!(driver.app.moves());
    for _ in 0..200 {
        driver.send(Message::Tick);
    }
    let steps = driver.app.learn.step.len(&driver.app.learn.playground);
    assert_eq!(driver.app.learn.step.cast, steps);
    assert!(!driver.app.moves(), "nothing moves when all have voted");
}

#[test]
fn playing_goes_faster_and_slower_and_stops_at_the_bits_of_a_fingerprint() {
    let lines_after = |keys: &str, ticks: usize| {
        let mut driver = Driver::sample(80, 24).keys(&format!("6vvvvv{keys}p"));
        for _ in 0..ticks {
            driver.send(Message::Tick);
        }
        (driver.app.learn.angle.n_lines, driver.app.moves())
    };
    let (usual, fast, slow) =
        (lines_after("", 16), lines_after(">>", 16), lines_after("<lt><lt>", 16));
    assert_eq!((usual.0, fast.0, slow.0), (16, 64, 4));
    assert_eq!((usual.1, fast.1, lines_after("", 500)), (true, false, (64, false)));
}

#[test]
fn the_command_that_opens_a_view_is_there_to_copy() {
    let copied = |driver: Driver| notice(&driver.keys("Yopens this view<enter>"));
    let tables = copied(Driver::sample(80, 24).keys("6vvvvccnn<space>j"));
    let expected = " view:tables --layout 6c3 --flip 63 --table 2 --step 2";
    assert!(tables.contains("simscope learn ") && tables.ends_with(expected), "{tables}");
    let page = copied(to_the_task(lesson(8)).keys("nnn<enter><enter>"));
    assert!(page.contains(" tables --page 2 "), "{page}");
}

#[test]
fn the_first_wrong_bit_is_named() {
    let driver = to_the_task(lesson(1)).keys("<space><space><space><enter>");
    let driver = to_the_task(driver).keys("a11100110<enter>");
    assert!(
        notice(&driver).contains("bit 5 is the first one that is wrong"),
        "{}",
        driver.screen()
    );
}

#[test]
fn no_documents_and_other_widths_are_no_trouble() {
    let settings =
        simscope::analysis::Settings { recipe: "bits=128".parse().unwrap(), ..settings() };
    for keys in ["6vvd", "6vvvd<space>", "2j6vvvvd", "6vvvvv", "6vvvvvvv"] {
        Driver::open(sample(), settings.clone(), 80, 24).keys(keys);
        Driver::idle(80, 24).keys(keys);
    }
}
