//! The Learn screen: every lesson can be done from the keyboard, and only by doing it.

use simscope::app::{
    Effect, Message, keymap,
    screen::{Screen, ViewId, learn::lessons::FILES},
    update,
};

use super::driver::{Driver, sample, settings};

/// The views of the Learn screen.
const VIEWS: [ViewId; 6] = [
    ViewId::Lessons,
    ViewId::Playground,
    ViewId::Step,
    ViewId::Blocks,
    ViewId::Angle,
    ViewId::Wear,
];

/// Each lesson with keys that answer it wrong, and keys that do it.
const DONE_BY: [(&str, &str, &str); 10] = [
    ("eight-bits", "<space><space>b", "<space><space>"),
    ("order", "jex<esc>", "je<c-w><esc>"),
    ("domination", "a1111<enter>w", "a1001<enter>w"),
    ("ties", "e<bs>n<esc>", "e tide<esc>"),
    ("angle", "G<space>a16<enter>hhhhhhhhhhGa13<enter>", "a16<enter>"),
    ("three-bits", "a0.957<enter>lllllllllllllllla,989<enter>", "a,96<enter>"),
    ("wear", "a3<enter>", "a15.0<enter>"),
    (
        "tables",
        "nnn<space>l<space>l<space>l<space>",
        "xnnn<space>llllllllllllllll<space>llllllllllllllll<space>llllllllllllllll<space>",
    ),
    (
        "bands",
        "a0.17<enter><space>llllllllllllllllll<space>llllllllllllllllll<space>va0.17<enter>lllllllllla0.5<enter>",
        "a0.17<enter>",
    ),
    ("choose-k", "5+6a12<enter>", "a17<enter>"),
];

fn lesson(number: usize) -> Driver {
    Driver::sample(80, 24).keys(&format!("6{}<enter>", "j".repeat(number)))
}

#[test]
fn every_lesson_is_done_by_doing_it() {
    for (number, ((name, wrong, right), (file, _))) in DONE_BY.iter().zip(FILES).enumerate() {
        assert_eq!(*name, file);
        let driver = lesson(number);
        let is_done = |driver: &Driver| driver.app.learn.lessons.is_done(number);
        assert!(!is_done(&driver), "{name} begins undone:\n{}", driver.screen());
        let driver = driver.keys(wrong);
        assert!(!is_done(&driver), "{name} is done by {wrong}:\n{}", driver.screen());
        let driver = driver.keys(right);
        assert!(is_done(&driver), "{name} is not done by {right}:\n{}", driver.screen());
    }
}

/// What the footer says, and the notice where there is one.
fn below(driver: &Driver) -> String {
    let screen = driver.screen();
    let rows: Vec<&str> = screen.lines().collect();
    rows[rows.len() - 2..].join("\n")
}

#[test]
fn a_wrong_answer_is_told_and_a_part_done() {
    let driver = lesson(2).keys("a1111<enter>");
    assert!(below(&driver).contains("1111 is not right; press a and type the four bits"));
    let driver = driver.keys("a1001<enter>");
    assert!(below(&driver).contains("good; now press w"), "{}", driver.screen());
    assert!(driver.screen().contains("lesson 3, part 2 of 2"));
    // What has to be done first is not skipped by a number read elsewhere.
    let driver = lesson(4).keys("a16<enter>");
    assert!(below(&driver).contains("not yet; first turn the vectors"), "{}", driver.screen());
    // Seven bits lose the pair as well, and fewer can.
    let block = format!("<space>{}", "l".repeat(16));
    let driver = lesson(7).keys("nnn<space>l<space>l<space>l").keys(&block.repeat(4));
    assert!(driver.screen().contains("candidate in 0 of"), "{}", driver.screen());
    assert!(driver.screen().contains("as few bits as you can"), "{}", driver.screen());
}

#[test]
fn enter_goes_on_after_a_lesson_and_round_the_end() {
    let driver = lesson(0).keys("<space><space><space>");
    assert!(below(&driver).contains("done: 1 of 10 lessons; Enter goes on to lesson 2"));
    assert!(below(&driver.keys("h")).contains("Enter next lesson"));
    let driver = lesson(0).keys("<space><space><space><enter>");
    assert_eq!(driver.app.learn.lessons.active, Some(1));
    // The list stands on the next one as well.
    let driver = lesson(0).keys("<space><space><space><esc><enter>");
    assert_eq!(driver.app.learn.lessons.active, Some(1));
    // In Tune it is said how to come back.
    let driver = lesson(9).keys("a17<enter>5+");
    assert!(below(&driver).contains("; 6 and Enter go on to lesson 1"), "{}", driver.screen());
    assert_eq!(driver.keys("6<enter>").app.learn.lessons.active, Some(0));
    // A lesson done again is to be done again.
    let driver = lesson(0).keys("<space><space><space><esc>k<enter>");
    assert!(driver.screen().contains("lesson 1, to do:"), "{}", driver.screen());
}

#[test]
fn the_keys_a_view_needs_are_in_the_footer() {
    for (keys, needed) in [
        ("6", &["Enter begin", "J/K scroll"][..]),
        ("6v", &["e edit", "d from corpus", "s/w/B recipe"]),
        ("6jj<enter>", &["a answer", "e edit"]),
        ("6ve", &["typing into one", "Tab the other", "Esc done"]),
        ("6vv", &["Space/b vote", "h/l bit", "e edit"]),
        ("6vvv", &["Space/b flip", "c/C layout", "n/N walk"]),
        ("6jjjj<enter>", &["a answer", "Space/b line", "h/l turn"]),
        ("6jjjjjj<enter>", &["a answer", "d other words"]),
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
        let driver = Driver::sample(80, 24).keys("6vvv").keys(layouts);
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
    let driver = Driver::open(input, settings(), 80, 24).keys("6vd");
    let screen = driver.screen();
    assert!(screen.contains("one: only the first 2,000 characters"), "{screen}");
    let screen = driver.keys("e<c-u><esc>").screen();
    assert!(!screen.contains("only the first"), "{screen}");
    // One heavy word: equal bits, and a cosine far from what they say.
    let screen = lesson(2).screen();
    assert!(screen.contains("cosine 0.800 is outside"), "{screen}");
}

#[test]
fn angle_says_how_many_lines_it_shows_and_draws_no_pairs_at_distances() {
    let screen = Driver::sample(80, 24).keys("6vvvv<space>").screen();
    assert!(screen.contains("1 line drawn") && !screen.contains("the last 12"), "{screen}");
    let screen = Driver::sample(80, 24).keys("6vvvvG").screen();
    assert!(
        screen.contains("64 lines drawn") && screen.contains("the picture has the last 12"),
        "{screen}"
    );
    assert!(!screen.contains("pairs to d="), "{screen}");
    // Of bands it is candidates that the curve counts.
    let screen = Driver::sample(80, 24).keys("6vvvvc").screen();
    assert!(screen.contains("bands make candidates of"), "{screen}");
    // A share that rounds to nothing is not nothing.
    let screen = Driver::sample(80, 24).keys("6vvvvhhhhhhhhhh").screen();
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
        (&block.repeat(4), "d = 4 > k = 3: candidate in 0 of 4 tables, rightly not found"),
    ] {
        let screen = Driver::sample(80, 24).keys(&format!("6vvv{keys}")).screen();
        assert!(screen.contains(said), "{said}: {screen}");
    }
    // Three blocks and three bits: near, and missed all the same.
    let block = format!("<space>{}", "l".repeat(22));
    let screen = Driver::sample(80, 24).keys(&format!("6vvvC{}", block.repeat(3))).screen();
    assert!(screen.contains("d = 3 <= k = 3: candidate in 0 of 3 tables, missed"), "{screen}");
    // The one that is looked for is not marked.
    let screen = Driver::sample(80, 24).keys("6vvvnn").screen();
    assert!(
        screen.contains("marked rows have it too: candidates") && !screen.contains("▶one"),
        "{screen}"
    );
}

#[test]
fn wear_changes_one_word_in_texts_of_several_lengths() {
    let screen = Driver::sample(140, 40).keys("6vvvvv").screen();
    for said in [
        "1 of 20 words",
        "1 of 80 words",
        "1 of 244 words",
        "24 of 244 words",
        "each under a new hash",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    let driver = Driver::sample(140, 40).keys("6vvvvv");
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
    let mut driver = lesson(5);
    let mut remembered = Vec::new();
    for key in "llllllllllllllllla0.957<enter>jjkk".parse::<simscope::app::Keys>().unwrap().0 {
        let effects = update(&mut driver.app, Message::Key(key));
        let names = effects.into_iter().filter_map(|effect| match effect {
            Effect::Remember(names) => Some(names),
            _ => None,
        });
        remembered.extend(names);
    }
    assert_eq!(remembered, [["three-bits".to_owned()]]);
}

#[test]
fn views_at_three_sizes() {
    let views = [
        ("lessons", "6j"),
        ("playground", "6vd"),
        ("playground-typing", "6ve and back<esc>ex"),
        ("step", "6vv<space><space><space>lll"),
        ("step-document", "6vvd<space><space>"),
        ("game", "6vvv<space>llllllllllllllllllll<space>nn"),
        ("angle", "6vvvv<space><space><space><space><space>hhhhh"),
        ("wear", "6vvvvv"),
        ("lesson-begun", "6<enter><space>"),
        ("lesson-done", "6<enter><space><space><space>h"),
        ("game-bands", "6vvvcccccc<space>"),
        ("angle-bands", "6vvvvccG"),
        ("lesson-long", "6jjjjjjjj"),
        ("lesson-parts", "6jjjjjjjj<enter><space>"),
    ];
    for (name, keys) in views {
        for (width, height) in [(80, 24), (140, 40), (40, 12)] {
            let driver = Driver::sample(width, height).keys(keys);
            insta::assert_snapshot!(format!("learn-{name}-{width}x{height}"), driver.picture());
        }
        let screen = Driver::sample(80, 24).keys(keys).ascii().picture();
        assert!(screen.is_ascii(), "{name}:\n{screen}");
    }
}

#[test]
fn every_key_on_every_view_and_size_is_no_trouble() {
    let bindings = VIEWS.iter().flat_map(|view| keymap::bindings(*view));
    let keys: Vec<_> = bindings.flat_map(|binding| binding.keys.iter().copied()).collect();
    for (width, height) in [(0, 0), (39, 9), (40, 10), (60, 16), (80, 24), (200, 60)] {
        for view in 0..6 {
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
    let mut driver = Driver::sample(80, 24).keys("6vvp");
    assert!(driver.app.moves());
    for _ in 0..200 {
        driver.send(Message::Tick);
    }
    let steps = driver.app.learn.step.len(&driver.app.learn.playground);
    assert_eq!(driver.app.learn.step.cast, steps);
    assert!(!driver.app.moves(), "nothing moves when all have voted");
}

#[test]
fn no_documents_and_other_widths_are_no_trouble() {
    let settings =
        simscope::analysis::Settings { recipe: "bits=128".parse().unwrap(), ..settings() };
    for keys in ["6vd", "6vvd<space>", "2j6vvvd", "6vvvv", "6vvvvv"] {
        Driver::open(sample(), settings.clone(), 80, 24).keys(keys);
        Driver::idle(80, 24).keys(keys);
    }
}
