//! The Learn screen: every lesson can be done from the keyboard, and only by doing it.

use simscope::analysis::Settings;
use simscope::app::custom_keys::Keymap;
use simscope::app::screen::learn::lessons::FILES;
use simscope::app::screen::{Screen, ViewId};
use simscope::app::{Effect, Message, keymap, update};

use super::driver::{Driver, sample, settings};

/// The views of the Learn screen.
const VIEWS: [ViewId; 3] = [ViewId::Lessons, ViewId::Playground, ViewId::Angle];

/// Each lesson, and for each page with a task keys that do it wrong and keys that do it.
const DONE_BY: [(&str, &[(&str, &str)]); 12] = [
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
        &[("a11010111<enter>", "a1101 0110<enter>"), ("a7<enter>a2<enter>", "a0<enter>")],
    ),
    (
        "few-votes",
        &[
            ("a1111<enter>a01001<enter>", "a1001<enter>"),
            ("a21<enter>", "a0<enter>"),
            ("w", "w"),
            ("a64<enter>", "a30<enter>"),
            ("e<bs>n<esc>", "e tide<esc>"),
        ],
    ),
    (
        "angle",
        &[
            ("hhhhhhhhhha13.1<enter>a19.2<enter>", "a16<enter>"),
            ("<space>", "G"),
            ("a60%<enter>llllllllllllllll", "a15 %<enter>"),
            ("a0.96<enter>", "a0.957<enter>"),
            ("a0.00004<enter>", "a25,000<enter>"),
        ],
    ),
    (
        "shingles",
        &[
            ("a32<enter>", "a0<enter>"),
            ("w", "s"),
            ("a3<enter>", "a1<enter>"),
            ("a3<enter>", "a12<enter>"),
            ("a3<enter>", "a17,0<enter>"),
        ],
    ),
    (
        "tables",
        &[
            ("a4<enter>", "a2<enter>"),
            (
                "<space>l<space>l<space>l<space>",
                "<space>h<space>h<space>lllllllllllllll<space>llllllllllllllll<space>",
            ),
            ("a64<enter>", "a65,536<enter>"),
            ("l<space>", "<space>lllllllllllllll<space>"),
        ],
    ),
    (
        "price",
        &[
            ("a6<enter>", "a20<enter>"),
            ("<space>l<space>l<space>", "<space>h<space>llllllllll<space>lllllllllll<space>"),
            ("a152.6<enter>", "a4*10^7/2^16<enter>"),
            ("a20<enter>", "a20*19*18*17*16*15/720<enter>"),
            ("a50,000<enter>", "a10^14/2/10^9/3600<enter>"),
            ("a4.8<enter>", "a84*10^7/2^21<enter>"),
        ],
    ),
    (
        "bands",
        &[
            ("<space>", "llllllllllllllllll<space>llllllllllllllllll<space>"),
            ("a0.5<enter>a6%<enter>", "a17 %<enter>"),
            ("a0.983<enter>", "a0.94<enter>"),
        ],
    ),
    (
        "minhash",
        &[
            ("a1<enter>", "a2<enter>"),
            ("a213111<enter>", "a1 1 1 1 2 3<enter>"),
            ("a0.5<enter>", "a2/6<enter>"),
            ("a1<enter>", "a64<enter>"),
            ("a0.625<enter>a3%<enter>", "a1-(1-0.5^5)^20<enter>"),
        ],
    ),
    (
        "precision",
        &[
            ("4va3x18<enter>6", "4a4x13<enter>6"),
            ("4a4x12<enter>6", "4a8x8<enter>6"),
            ("4a5x9<enter>6", "4a4x13<enter>6"),
            ("5V+6", "5+++6"),
        ],
    ),
    (
        "choose-k",
        &[
            ("a12<enter>", "a17<enter>"),
            ("4", "byxyxyx<esc>6"),
            ("++++", "++++"),
            ("4", "6a11%<enter>"),
            ("a4<enter>", "a12*10^7/2^(64/12)<enter>"),
        ],
    ),
    ("sample", &[("hhh", "llllllllllllllll"), ("a6<enter>", "a29<enter>")]),
];

/// The number of a lesson, from 0.
fn number_of(name: &str) -> usize {
    FILES.iter().position(|(file, _)| *file == name).unwrap()
}

fn lesson(name: &str) -> Driver {
    lesson_at(name, 80, 24)
}

fn lesson_at(name: &str, width: u16, height: u16) -> Driver {
    // As a learner opens the program.
    let driver = Driver::open(sample(), Settings::default(), width, height);
    driver.keys(&format!("6{}<enter>", "j".repeat(number_of(name))))
}

/// A lesson at a task of it, from 0.
fn task(name: &str, task: usize, width: u16, height: u16) -> Driver {
    let mut driver = to_the_task(lesson_at(name, width, height));
    for (wrong, right) in &DONE_BY[number_of(name)].1[..task] {
        driver = driver.keys(wrong).keys(right);
        driver = to_the_task(driver.keys("<enter>"));
    }
    driver
}

/// Goes on until the open page waits for something to be done, with the picture in view.
fn to_the_task(mut driver: Driver) -> Driver {
    for _ in 0..20 {
        let lessons = &driver.app.learn.lessons;
        let is_task = lessons.open_page().is_some_and(|page| !page.task.is_empty());
        let beside = driver.app.size.width >= 110;
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
            let mut driver = lesson_at(name, width, height);
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
        for (number, (name, _)) in FILES.iter().enumerate() {
            let mut driver = lesson_at(name, width, height);
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

/// The notice of a driver.
fn notice(driver: &Driver) -> String {
    driver.app.notice.clone().unwrap_or_default()
}

#[test]
fn a_wrong_answer_has_its_own_reason_and_hides_no_help() {
    let driver = to_the_task(lesson("few-votes")).keys("a1111<enter>");
    assert!(notice(&driver).contains("that is the hash of \"bit\""), "{}", driver.screen());
    let driver = driver.keys("a110<enter>");
    assert!(notice(&driver).contains("write all four bits"), "{}", driver.screen());
    // The way to the answer comes with the second wrong one.
    let driver = to_the_task(lesson("minhash")).keys("a5<enter>");
    assert!(notice(&driver).ends_with("look again"), "{}", notice(&driver));
    assert!(notice(&driver.keys("a6<enter>")).contains("and take the smallest"));
    // A reason that is a question keeps its sign.
    let driver = to_the_task(lesson("minhash")).keys("a5<enter>a1<enter>");
    assert!(
        notice(&driver).contains("does text one have it? Of the numbers"),
        "{}",
        notice(&driver)
    );
    // The reason stands on the page as well, beside the picture.
    let driver = to_the_task(lesson_at("few-votes", 120, 35)).keys("a1111<enter>");
    assert!(driver.screen().contains("Not yet: that is the hash of"), "{}", driver.screen());
    let driver = driver.keys("a1001<enter>");
    assert!(driver.screen().contains("Right. The sums are 4"));
    // More flipped bits than needed lose the pair as well, and are told to be too many.
    let driver = to_the_task(lesson_at("tables", 120, 35).keys("a2<enter><enter>"));
    let driver = driver.keys("<space>l<space>l<space>l<space>");
    assert!(driver.screen().contains("Not yet: more than three bits"), "{}", driver.screen());
}

#[test]
fn the_number_that_is_asked_for_is_hidden_until_it_is_answered() {
    for (name, at, hidden) in [
        ("neighbours", 0, "of 64 bits"),
        ("eight-bits", 0, "+3"),
        ("shingles", 0, "distance 0 of 64"),
        ("few-votes", 0, "+4"),
        ("few-votes", 3, "are ties"),
        ("angle", 2, "15.9 %"),
        ("shingles", 3, "distance 10 of 64"),
        ("tables", 2, "65,536"),
        ("price", 3, "38,760"),
    ] {
        let driver = task(name, at, 140, 40);
        let keys = if (name, at) == ("angle", 2) { "llllllllllllllll" } else { "<space><space>" };
        let driver = driver.keys(keys);
        assert!(!driver.screen().contains(hidden), "{hidden}: {}", driver.screen());
        // Nor do the explained numbers tell it.
        let told = driver.keys("?<tab>").screen();
        assert!(!told.contains(hidden), "{hidden}: {told}");
    }
    let screen = task("few-votes", 3, 140, 40).keys("a30<enter>").screen();
    assert!(screen.contains("are ties"), "{screen}");
}

#[test]
fn a_state_that_is_only_passed_by_does_not_count() {
    // Three words have no tie, four have some.
    let driver = task("few-votes", 3, 120, 35).keys("a30<enter>");
    let driver = to_the_task(driver).keys("e shell tide<esc>");
    assert!(driver.screen().contains("Not yet: four words can tie"), "{}", driver.screen());
    assert!(driver.keys("e<c-w><esc>").screen().contains("Right. With 3 words"));
    // A good layout is measured on the way to a bad one.
    let driver = to_the_task(lesson_at("precision", 120, 35)).keys("4va4x13<enter>6");
    assert!(driver.screen().contains("Right. recall 0.86"), "{}", driver.screen());
    let driver = driver.keys("4a3x18<enter>6");
    assert!(driver.screen().contains("Not yet:"), "{}", driver.screen());
    // A page that was turned stays done.
    let driver = driver.keys("4a4x13<enter>6<enter>4a3x18<enter>6[");
    assert!(driver.app.learn.lessons.is_page_done(), "{}", driver.screen());
    // A right number before the rest of the task says what is left.
    let driver = task("angle", 2, 120, 35).keys("a16%<enter>");
    assert!(notice(&driver).contains("Turn the vectors to 0.96 first"), "{}", notice(&driver));
}

#[test]
fn an_answer_reveals_at_once_and_the_praise_is_of_the_present_state() {
    let driver = to_the_task(lesson_at("neighbours", 120, 35)).keys("a30<enter>");
    assert!(driver.screen().contains("30 of 64 bits differ; of any"), "{}", driver.screen());
    // Both layouts are good, and the second one is told.
    let recall =
        |driver: &Driver| driver.app.tune.layouts.rows.last().and_then(|it| it.evaluation.recall());
    let driver = to_the_task(lesson_at("precision", 120, 35)).keys("4va4x13<enter>");
    let before = recall(&driver);
    let driver = driver.keys("a8x8<enter>6");
    let now = recall(&driver).expect("the layout is measured");
    assert_ne!(Some(now), before);
    let told = driver.screen().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(&format!("Right. recall {now:.2}")), "{}", driver.screen());
    // A text longer than its place shows its end.
    let driver = to_the_task(lesson_at("sample", 120, 35)).keys("lllllllllllll");
    assert!(driver.screen().contains("Enter goes on."), "{}", driver.screen());
}

/// A pair with differing bits is found; then the learner flips bits of equal fingerprints.
#[test]
fn the_pair_of_tables_differs_until_the_learner_flips_bits() {
    let driver = to_the_task(lesson_at("tables", 120, 35)).keys("a2<enter>");
    assert_eq!(driver.app.learn.game.damage, 1 << 40 | 1 << 5);
    let screen = driver.screen();
    assert!(screen.contains("Right. Found at a distance of 2"), "{screen}");
    assert!(screen.contains("d = 2 <= k = 3: candidate in 2 of 4 tables, found"), "{screen}");
    assert_eq!(to_the_task(driver.keys("<enter>")).app.learn.game.damage, 0);
}

#[test]
fn esc_loses_no_work_and_enter_goes_on_where_it_was_left() {
    let driver = to_the_task(lesson("tables")).keys("a2<enter>");
    let driver = to_the_task(driver.keys("<enter>")).keys("<space>l<space>");
    let damage = driver.app.learn.game.damage;
    let driver = driver.keys("<esc><enter>");
    assert_eq!((driver.app.learn.game.damage, driver.app.learn.lessons.page), (damage, 1));
    // Another one begins anew.
    let driver = driver.keys("<esc>k<enter><esc>");
    assert_eq!(driver.app.learn.lessons.active, Some(4));
}

#[test]
fn a_lesson_has_a_k_and_a_width_of_its_own() {
    let settings =
        simscope::analysis::Settings { recipe: "bits=128".parse().unwrap(), k: 9, ..settings() };
    let driver = Driver::open(sample(), settings, 120, 35).keys("6jjj<enter>");
    assert_eq!((driver.app.learn_k(), driver.app.learn_bits()), (3, 64));
    assert_eq!((driver.app.settings.k, driver.app.settings.recipe.bits), (9, 128));
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.learn_k(), driver.app.learn_bits()), (9, 128));
}

#[test]
fn the_page_before_is_shown_again_and_stays_done() {
    let driver = to_the_task(lesson_at("eight-bits", 120, 35)).keys("[");
    let lessons = &driver.app.learn.lessons;
    assert_eq!((lessons.page, lessons.is_page_done()), (0, true));
    assert!(driver.screen().contains(" 1/3 "), "{}", driver.screen());
    assert!(notice(&driver.keys("[")).contains("this is the first page"));
}

#[test]
fn a_finished_lesson_leads_to_the_next_one() {
    let done = |width: u16, height: u16| {
        let driver = task("few-votes", 4, width, height);
        driver.keys(DONE_BY[number_of("few-votes")].1[4].1)
    };
    let driver = done(80, 24);
    assert!(driver.screen().contains("Enter goes on to lesson 4."), "{}", driver.screen());
    let driver = done(120, 35);
    assert!(driver.screen().contains("Enter goes on to lesson 4."), "{}", driver.screen());
    assert_eq!(driver.keys("<enter>").app.learn.lessons.active, Some(3));
    // In Tune it is said how to come back.
    let driver = task("choose-k", 1, 80, 24).keys("4byxyxyx<esc>");
    assert!(notice(&driver).contains("6 and Enter go on"), "{}", driver.screen());
    let driver = driver.keys("6");
    let driver = to_the_task(driver).keys("++++++++");
    let driver = to_the_task(driver).keys("a11%<enter>");
    let driver = to_the_task(driver).keys("a12*10^7/2^(64/12)<enter>");
    assert!(notice(&driver).contains("Enter goes on to lesson 12"), "{}", driver.screen());
    assert_eq!(driver.keys("6<enter>").app.learn.lessons.active, Some(11));
}

/// An earlier version kept the names of its quizzes with those of lessons.
#[test]
fn what_is_no_lesson_any_more_counts_for_nothing() {
    let mut driver = Driver::sample(140, 40);
    driver.app.learn.lessons.done.extend(["quiz 42", "blind 7", "tables"].map(str::to_owned));
    let screen = driver.keys("6").screen();
    assert!(screen.contains("1 of 12 done") && !screen.contains("quiz"), "{screen}");
}

#[test]
fn the_keys_a_view_needs_are_in_the_footer() {
    for (keys, needed) in [
        ("6", &["Enter begin", "J/K scroll"][..]),
        ("6v", &["e edit", "s/w own recipe"]),
        ("6jj<enter><enter>", &["a answer", "Enter go on"]),
        ("6ve", &["typing into one", "Tab other text", "Esc done"]),
        ("6jjjjj<enter>a2<enter><enter><enter>", &["Space flip", "h/l bit", "Enter go on"]),
        ("6jjj<enter><enter><enter>", &["a answer", "Space line", "h/l turn"]),
        ("6jjjj<enter>", &["a answer"]),
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
fn bits_that_mislead_are_told() {
    // One heavy word: equal bits, and a cosine far from what they say.
    let texts = "6ve<c-u>apple banana banana<tab><c-u>cherry banana banana<esc>";
    let screen = Driver::sample(80, 24).keys(texts).screen();
    assert!(screen.contains("cosine 0.741 is outside"), "{screen}");
}

#[test]
fn angle_says_how_many_lines_it_shows_and_draws_no_pairs_at_distances() {
    let screen = Driver::sample(80, 24).keys("6vv<space>").screen();
    assert!(screen.contains("1 line drawn") && !screen.contains("the last 24"), "{screen}");
    let screen = Driver::sample(80, 24).keys("6vvG").screen();
    assert!(
        screen.contains("64 lines drawn") && screen.contains("the picture has the last 24"),
        "{screen}"
    );
    assert!(!screen.contains("pairs to d="), "{screen}");
    // A share that rounds to nothing is not nothing.
    let screen = Driver::sample(80, 24).keys("6vvhhhhhhhhhh").screen();
    assert!(screen.contains("k=3 finds less than 0.1 %"), "{screen}");
}

/// A lesson of tables with a layout of its own, at the page where bits are flipped.
fn flipping(keys: &str) -> String {
    to_the_task(lesson("tables").keys("a2<enter><enter>")).keys(keys).screen()
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
        let screen = flipping(keys);
        assert!(screen.contains(said), "{said}: {screen}");
    }
    // Three bands and three bits: near, and missed all the same.
    let block = format!("<space>{}", "l".repeat(18));
    let screen = to_the_task(lesson("bands")).keys(&block.repeat(3)).screen();
    assert!(screen.contains("3 bands of 18 bits"), "{screen}");
    assert!(screen.contains("may miss at k=3"), "{screen}");
    let screen = to_the_task(lesson_at("bands", 120, 35)).keys(&block.repeat(3)).screen();
    assert!(screen.contains("d = 3 <= k = 3: candidate in 0 of 3 tables, missed"), "{screen}");
}

#[test]
fn what_is_done_is_asked_to_be_remembered_once() {
    let mut driver = task("few-votes", 3, 80, 24);
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
    assert_eq!(remembered, [["few-votes".to_owned()]]);
}

#[test]
fn views_at_two_sizes() {
    for (name, keys) in [
        ("lessons", "6j"),
        ("playground", "6v"),
        ("angle", "6vv<space><space><space><space><space>hhhhh"),
        ("lesson", "6jjjjj<enter>a2<enter>"),
    ] {
        for (width, height) in [(80, 24), (120, 35)] {
            let driver = Driver::sample(width, height).keys(keys);
            insta::assert_snapshot!(format!("learn-{name}-{width}x{height}"), driver.picture());
        }
        let screen = Driver::sample(80, 24).keys(keys).ascii().picture();
        assert!(screen.is_ascii(), "{name}:\n{screen}");
    }
}

/// Every picture of a lesson shows at every size, without a colour and in ASCII, too.
#[test]
fn the_pictures_of_lessons_say_what_they_are_for() {
    for (name, at, said) in [
        ("neighbours", 0, "MinHash: the smallest hash of any feature"),
        ("eight-bits", 0, "simhash x1"),
        ("tables", 0, "guaranteed to d=3"),
        ("bands", 1, "3 bands of 18 bits"),
        ("price", 2, "4 of 7 blocks"),
        ("minhash", 0, "the words of both texts in six orders"),
    ] {
        let screen = task(name, at, 120, 35).screen();
        assert!(screen.contains(said), "{said}: {screen}");
        for (width, height) in [(40, 10), (60, 16), (80, 24), (200, 60)] {
            let ascii = task(name, at, width, height).ascii().picture();
            assert!(ascii.is_ascii(), "{name}:\n{ascii}");
        }
    }
}

#[test]
fn every_key_on_every_view_and_size_is_no_trouble() {
    let bindings = VIEWS.iter().flat_map(|view| Keymap::default().bindings(*view));
    let keys: Vec<_> = bindings.flat_map(|binding| binding.keys.iter().copied()).collect();
    for (width, height) in [(0, 0), (39, 9), (40, 10), (60, 16), (80, 24), (200, 60)] {
        for open in ["6", "6v", "6vv", "6<enter>", "6jjjjj<enter>"] {
            let mut driver = Driver::sample(width, height).keys(open);
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
fn the_first_wrong_bit_is_named() {
    let driver = to_the_task(lesson("eight-bits")).keys("a11100110<enter>");
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
    for keys in ["6v", "6vvv<space>", "2j6vvvv", "6vvvvv", "6vvvvvvv"] {
        Driver::open(sample(), settings.clone(), 80, 24).keys(keys);
        Driver::idle(80, 24).keys(keys);
    }
}
