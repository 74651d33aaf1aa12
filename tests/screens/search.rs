//! Words looked for in documents, and filters of texts, fields and numbers.

use simscope::corpus::Input;

use super::driver::{Driver, settings};

/// Rows with fields, one of them without a label.
const WIRES: &str = r#"{"id":"w1","title":"Tide tables","text":"low water at seven\nand high water at one","label":"sea","year":1999}
{"id":"w2","title":"Earnings","text":"net profit rose to 3.2 mln, a record (a.*b)","label":"earn","year":2001}
{"id":"w3","text":"net profit rose to 3.2 mln, a \"record\" \\alpha","label":"Earn, sea","year":"2003"}
{"id":"w4","text":"quite another matter altogether: gulls on the roof","year":null}
{"id":"w5","text":"no water, no profit"}
"#;

fn wires(width: u16, height: u16) -> Driver {
    let inputs = vec![Input::Bundled { name: "wires.jsonl", bytes: WIRES.as_bytes() }];
    Driver::open(inputs, settings(), width, height)
}

fn selected(driver: &Driver) -> String {
    driver
        .app
        .docs
        .selected()
        .map_or_else(String::new, |document| driver.app.analysis.corpus.id(document).to_owned())
}

/// The ids listed under a filter.
fn listed(filter: &str) -> Vec<String> {
    let driver = wires(120, 35).keys("f").keys(&filter.replace('<', "<lt>")).keys("<enter>");
    assert!(driver.app.overlay.is_none(), "{filter}: {}", driver.screen());
    let docs = &driver.app.docs;
    let documents = (0..docs.len()).filter_map(|row| docs.document(row));
    documents.map(|document| driver.app.analysis.corpus.id(document).to_owned()).collect()
}

#[test]
fn words_are_found_in_ids_titles_and_texts() {
    for (width, height) in [(80, 24), (120, 35)] {
        let driver = wires(width, height).keys("/");
        if width == 80 {
            insta::assert_snapshot!("find-asked", driver.picture());
        }
        let driver = driver.keys("WATER<enter>");
        insta::assert_snapshot!(format!("find-{width}x{height}"), driver.picture());
        assert_eq!(selected(&driver), "w5");
        let driver = driver.keys("n");
        assert_eq!(selected(&driver), "w1");
        let driver = driver.keys("NN");
        assert_eq!(selected(&driver), "w1");
        assert_eq!(selected(&driver.keys("/earnings<enter>")), "w2");
    }
    let found = |words: &str| {
        let driver = wires(80, 24).keys("jjjj").keys(&format!("/{words}<enter>"));
        let told = driver.screen();
        (selected(&driver), told.contains("no id, title or text holds"))
    };
    assert_eq!(found("W3"), ("w3".to_owned(), false));
    assert_eq!(found("seven and"), ("w1".to_owned(), false));
    assert_eq!(found("(a.*b)"), ("w2".to_owned(), false));
    assert_eq!(found("\"record\" \\ALPHA"), ("w3".to_owned(), false));
    assert_eq!(found("zebra"), ("w5".to_owned(), true));
    // A field that is no title is not looked at.
    assert_eq!(found("2003"), ("w5".to_owned(), true));
}

#[test]
fn while_texts_are_read_the_screen_lives_and_escape_stops() {
    let mut driver = wires(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("/water<enter>");
    assert!(driver.app.awaits("search") && driver.held_names().contains(&"search"));
    assert!(driver.screen().contains("0 of 0 hold \"water\" so far"), "{}", driver.screen());
    // Keys go on working; the match is gone to when it is known.
    driver = driver.keys("j");
    assert_eq!(selected(&driver), "w2");
    driver.speak();
    assert_eq!(selected(&driver), "w5");
    assert!(driver.screen().contains("2 of 5 hold \"water\""), "{}", driver.screen());

    driver.mute = true;
    let mut driver = driver.keys("/net<enter><esc>");
    assert!(!driver.app.awaits("search"));
    driver.speak();
    assert_eq!(selected(&driver), "w5");
    let driver = driver.keys("n");
    assert_eq!(selected(&driver), "w2", "n takes the search up again");
    let driver = driver.keys("<esc>");
    assert!(driver.app.docs.find.is_none() && !driver.screen().contains("hold"));
}

#[test]
fn matches_are_those_of_the_list_in_its_order() {
    let driver = wires(80, 24).keys("f-matter<enter>sss/net<enter>");
    let first = selected(&driver);
    let driver = driver.keys("n");
    let mut both = [first, selected(&driver)];
    both.sort();
    assert_eq!(both, ["w2", "w3"]);
    let none = driver.keys("/gulls<enter>").screen();
    assert!(none.contains("among these; Esc lifts the filter"), "{none}");
}

#[test]
fn a_filter_is_of_words_fields_numbers_and_marks() {
    let cases: [(&str, &[&str]); 15] = [
        ("water", &["w1", "w5"]),
        ("water -profit", &["w1"]),
        ("\"water and\"", &[]),
        ("\"seven and\"", &["w1"]),
        ("label:EARN", &["w2", "w3"]),
        ("-label:earn", &["w1", "w4", "w5"]),
        ("label:\"earn, sea\"", &["w3"]),
        ("year>2000", &["w2", "w3"]),
        ("year<=1999", &["w1"]),
        ("field.year>=2001 net", &["w2", "w3"]),
        ("title:tide", &["w1"]),
        ("id:w1", &["w1"]),
        ("source:wires -id:w", &[]),
        ("words:4", &["w5"]),
        ("no.such:field", &[]),
    ];
    for (filter, expected) in cases {
        assert_eq!(listed(filter), expected, "{filter}");
    }
    let shown = |filter: &str| {
        let docs = Driver::sample(80, 24).keys(&format!("f{filter}<enter>")).app.docs;
        (0..docs.len()).filter_map(|row| docs.document(row)).collect::<Vec<_>>()
    };
    assert_eq!(shown("near>0"), shown("is:near"));
    let group = Driver::sample(120, 35).app.analysis.groups.as_ref().unwrap().documents(0).to_vec();
    assert_eq!(shown("group:0"), group);
    assert_eq!(shown("near:4 group:0"), group[3..4]);
}

#[test]
fn a_distance_is_to_the_document_that_was_selected() {
    let driver = wires(120, 35).keys("jfd<lt>=0<enter>");
    assert_eq!((driver.app.docs.len(), selected(&driver).as_str()), (1, "w2"));
    let driver = driver.keys("<esc>fzebra<enter>f<c-u>d<lt>=3<enter>");
    assert!(driver.screen().contains("d is the distance to the selected document"));
}

#[test]
fn the_filter_and_its_faults_show() {
    for (name, keys) in [
        ("asked", "f"),
        ("fault", "flabel:earn \"low<enter>"),
        ("fields", "flabel:earn year>2000<enter>"),
    ] {
        insta::assert_snapshot!(format!("filter-{name}"), wires(80, 24).keys(keys).picture());
    }
}

#[test]
fn rows_of_a_filter_come_while_texts_are_read() {
    let mut driver = wires(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("flabel:earn<enter>");
    assert!(driver.screen().contains("so far"), "{}", driver.screen());
    assert!(driver.held_names().contains(&"filter"), "{:?}", driver.held_names());
    driver.speak();
    assert_eq!(driver.app.docs.len(), 2);
    assert!(driver.screen().contains("filter: label:earn (2)"), "{}", driver.screen());
    // Other orders need no second look.
    let looked_at = driver.app.docs.found.read().n_looked_at;
    let driver = driver.keys("s");
    assert_eq!((looked_at, driver.app.docs.found.read().n_looked_at), (5, 5));
    // Stopped, it says that there may be more.
    let mut driver = driver;
    driver.mute = true;
    let mut driver = driver.keys("<esc>fprofit<enter><c-c>");
    driver.speak();
    assert!(driver.screen().contains("so far"), "{}", driver.screen());
    assert_eq!(driver.keys("<esc>").app.docs.len(), 5);
}

#[test]
fn ten_thousand_columns_are_only_slow() {
    let names: Vec<String> = (0..10_000).map(|column| format!("c{column}")).collect();
    let mut rows = format!("text,{}\n", names.join(","));
    for row in 0..3 {
        let cells: Vec<String> = (0..10_000).map(|column| (row * column).to_string()).collect();
        rows += &format!("tide {row},{}\n", cells.join(","));
    }
    let inputs = vec![Input::Bundled { name: "wide.csv", bytes: rows.into_bytes().leak() }];
    let driver = Driver::open(inputs, settings(), 80, 24).keys("fc9999>9999 tide<enter>");
    assert_eq!(driver.app.docs.len(), 1);
    assert!(driver.screen().contains("tide 2"), "{}", driver.screen());
}

#[test]
fn fields_are_compared_with_dates() {
    let rows = r#"{"id":"a","text":"low water","date":"2024-04-30"}
{"id":"b","text":"high water","date":"2024-05-01T07:00:00Z"}
{"id":"c","text":"no water","date":"unknown"}
"#;
    let inputs = vec![Input::Bundled { name: "dated.jsonl", bytes: rows.as_bytes() }];
    for (filter, shown) in
        [("date>=2024-05", 1), ("date<2024-05", 1), ("date>2023", 2), ("-date>2023", 1)]
    {
        let driver = Driver::open(inputs.clone(), settings(), 120, 35);
        let driver = driver.keys("f").keys(&filter.replace('<', "<lt>")).keys("<enter>");
        assert_eq!(driver.app.docs.len(), shown, "{filter}: {}", driver.screen());
    }
    let driver = Driver::open(inputs, settings(), 120, 35).keys("fdate>May<enter>");
    assert!(driver.screen().contains("nor a date such as 2024-05-31"), "{}", driver.screen());
}

#[test]
fn the_list_follows_the_words_as_they_are_typed() {
    let driver = wires(120, 35).keys("/prof");
    assert_eq!((selected(&driver), driver.app.overlay.is_some()), ("w2".to_owned(), true));
    // Each letter searches from the row where `/` was pressed.
    let driver = driver.keys("it");
    assert_eq!(selected(&driver), "w2");
    // Enter stays at the match, and Esc goes back.
    let kept = driver.keys("<enter>");
    assert_eq!(selected(&kept), "w2");
    assert!(kept.screen().contains("3 of 5 hold \"profit\""), "{}", kept.screen());
    let left = wires(120, 35).keys("j/roof<esc>");
    assert_eq!((selected(&left), left.app.docs.find.is_none()), ("w2".to_owned(), true));
    assert_eq!(selected(&kept.keys("n")), "w3");
}

#[test]
fn earlier_lines_come_back() {
    let driver = wires(120, 35).keys("/gulls<enter>/water<enter>g/<up><up>");
    assert!(driver.screen().contains("find: gulls"), "{}", driver.screen());
    assert_eq!(selected(&driver), "w4");
    let driver = driver.keys("<down>");
    assert!(driver.screen().contains("find: water"), "{}", driver.screen());
    // A filter has its own lines.
    let driver = driver.keys("<esc>f<up>");
    let screen = driver.screen();
    assert!(screen.lines().any(|row| row.trim() == "filter:"), "{screen}");
}

#[test]
fn a_filter_that_nothing_passes_says_why() {
    let screen = wires(200, 40).keys("fwrods>5<enter>").screen();
    assert!(
        screen.contains("have no field \"wrods\"; they have: id, title, text, label, year"),
        "{screen}"
    );
    assert!(screen.contains("numbers: words, features, near, group, d"), "{screen}");
    let screen = wires(120, 35).keys("f/ti.e/<enter>").screen();
    assert!(screen.contains("/ is searched as it stands, since there are no patterns"), "{screen}");
}

#[test]
fn escape_gives_the_search_before_back() {
    let driver = wires(120, 35).keys("/profit<enter>/gulls<esc>");
    assert_eq!(selected(&driver), "w2");
    assert_eq!(selected(&driver.keys("n")), "w3");
}

#[test]
fn an_earlier_line_does_not_lose_the_typed_one() {
    let has = |driver: &Driver, line: &str| driver.screen().lines().any(|row| row.trim() == line);
    let driver = wires(120, 35).keys("/gulls<enter>/wat<up><down>");
    assert!(has(&driver, "find: wat"), "{}", driver.screen());
    let driver = wires(120, 35).keys("fis:short<enter>f<up><down>");
    assert!(has(&driver, "filter: is:short"), "{}", driver.screen());
}

#[test]
fn the_line_of_a_search_says_how_many_documents_hold_the_words() {
    let driver = Driver::sample(80, 24).keys("/zzzz");
    assert!(driver.screen().contains("0 of 100 hold \"zzzz\""), "{}", driver.screen());
    let driver = Driver::sample(80, 24).keys("/foghorn");
    assert!(driver.screen().contains(" of 100 hold \"foghorn\""), "{}", driver.screen());
}
