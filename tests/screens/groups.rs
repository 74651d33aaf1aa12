//! The Groups screen: what it draws, where its keys lead, and what follows k and the linkage.

use simscope::{
    app::{
        Effect, Message, Screen, custom_keys::Keymap, key::Key, keymap::Action,
        screen::groups::GroupsPane,
    },
    corpus::Input,
    id::DocId,
    index::Linkage,
};

use super::driver::{Driver, settings};

/// Rows that carry fingerprints: `[id, hex]`.
fn carried(rows: &[(String, u64)]) -> Vec<Input> {
    let row = |(id, bits): &(String, u64)| {
        format!("{{\"id\":\"{id}\",\"fingerprint\":\"{bits:016x}\"}}\n")
    };
    let bytes: String = rows.iter().map(row).collect();
    vec![Input::Bundled { name: "rows.jsonl", bytes: Box::leak(bytes.into_bytes().into()) }]
}

/// Two stars of three, held together by one in the middle; copies of the first, and a pair apart.
fn stars() -> Vec<Input> {
    let rows = [
        ("left", 0b0000_0000_0000),
        ("left-copy", 0b0000_0000_0000),
        ("left-one", 0b0000_0000_0001),
        ("left-two", 0b0000_0000_0110),
        ("middle", 0b0000_0011_1000),
        ("right", 0b0001_1111_1000),
        ("right-one", 0b0001_1111_1100),
        ("right-two", 0b0111_1111_1000),
        ("left-copy-again", 0b0000_0000_0000),
        ("apart", 0xffff_ffff_0000_0000),
        ("apart-too", 0xffff_fffe_0000_0000),
    ];
    carried(&rows.map(|(id, bits)| (id.to_owned(), bits)))
}

fn open(width: u16, height: u16) -> Driver {
    Driver::open(stars(), settings(), width, height)
}

fn selected(driver: &Driver) -> String {
    driver.app.analysis.corpus.id(driver.app.query().expect("a document")).to_owned()
}

/// Every key of an empty list says why it does nothing.
#[test]
fn keys_without_groups_say_so() {
    let texts = "low tide at noon\nthe wall is dry and warm\n";
    let corpus = vec![Input::Bundled { name: "two.txt", bytes: texts.as_bytes() }];
    let mut driver = Driver::open(corpus, settings(), 80, 24).keys("4");
    for key in ["j", "k", "l", "h", "n", "<enter>"] {
        driver = driver.keys(key);
        let notice = driver.app.notice.clone().unwrap_or_default();
        assert_eq!(notice, "no group is listed at k=3", "{key}");
    }
    let driver = driver.keys("p");
    let notice = driver.app.notice.clone().unwrap_or_default();
    assert_eq!(notice, "policy longest; no group is listed at k=3");
}

#[test]
fn groups_at_every_size() {
    for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
        for (name, keys) in [
            ("groups", "4"),
            ("groups-tree", "4lljjj"),
            ("groups-chain", "+++4jl"),
            ("groups-complete", "+++4jc"),
        ] {
            let driver = Driver::sample(width, height).keys(keys);
            if name == "groups" || width == 80 {
                insta::assert_snapshot!(format!("{name}-{width}x{height}"), driver.picture());
            }
            let ascii = driver.ascii().picture();
            assert!(ascii.is_ascii(), "{name} at {width}x{height}:\n{ascii}");
        }
        let driver = open(width, height).keys("4l");
        insta::assert_snapshot!(format!("groups-bridge-{width}x{height}"), driver.picture());
    }
    let driver = open(80, 24).keys("4l").ascii();
    insta::assert_snapshot!("groups-bridge-ascii", driver.picture());
    let nothing_near = carried(&[("one".to_owned(), 0), ("other".to_owned(), 0xff)]);
    let driver = Driver::open(nothing_near, settings(), 80, 24).keys("4ljc<enter>n");
    insta::assert_snapshot!("groups-none", driver.picture());
}

#[test]
fn without_colour_selection_and_bridge_still_show() {
    let driver = open(80, 24).without_colour().keys("4ljj");
    let screen = driver.screen();
    let tree = screen.lines().skip(15);
    assert!(tree.clone().any(|row| row.contains('◆') && row.contains("bridge")), "{screen}");
    assert!(tree.clone().any(|row| row.contains(" ┄3 ")), "{screen}");
    let marked: Vec<usize> = screen
        .lines()
        .enumerate()
        .filter(|(_, row)| row.starts_with('▶'))
        .map(|(y, _)| y)
        .collect();
    assert_eq!(marked.len(), 1, "{screen}");
    let styles = driver.styles();
    assert!(styles.lines().nth(marked[0]).unwrap().starts_with('B'), "{styles}");
}

#[test]
fn one_selection_comes_and_goes() {
    // From Docs on the group of the selected document, and on that document.
    let driver = Driver::sample(80, 24).keys("/rumour-3<enter>4");
    assert_eq!((driver.app.screen, selected(&driver).as_str()), (Screen::Groups, "rumour-3"));
    let tree = driver.app.groups.tree.as_ref().expect("a tree");
    assert_eq!(tree.document(), driver.app.query());
    assert!(tree.holds(driver.app.query().unwrap()));
    // Esc without a step changes nothing.
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.screen, selected(&driver).as_str()), (Screen::Docs, "rumour-3"));
    // Enter opens the group, Enter on a member its neighbours.
    let driver = driver.keys("4<enter>j");
    assert_eq!(
        (driver.app.groups.pane, selected(&driver).as_str()),
        (GroupsPane::Tree, "rumour-4")
    );
    let driver = driver.keys("<enter>");
    assert_eq!((driver.app.screen, selected(&driver).as_str()), (Screen::Near, "rumour-4"));
    assert_eq!(driver.app.near.query, driver.app.query());
    // Esc goes back step by step.
    let driver = driver.keys("<enter><esc><esc>");
    assert_eq!(
        (driver.app.groups.pane, selected(&driver).as_str()),
        (GroupsPane::Tree, "rumour-4")
    );
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.screen, driver.app.groups.pane), (Screen::Groups, GroupsPane::List));
    let driver = driver.keys("g1");
    assert_eq!(selected(&driver), "tide-log");
    // A filter that hides the member is lifted.
    let driver = driver.keys("frumour<enter>4g2");
    assert_eq!((selected(&driver).as_str(), driver.app.docs.len()), ("tide-log", 100));
}

#[test]
fn a_document_without_group_is_said_to_have_none_and_keeps_its_place_in_docs() {
    let driver = open(80, 24).keys("/apart-too<enter>4");
    assert_eq!(selected(&driver), "apart-too");
    let driver = Driver::sample(80, 24).keys("/cat-de<enter>---");
    assert_eq!(selected(&driver), "cat-de");
    let driver = driver.keys("4");
    assert_eq!(driver.app.groups.selected(), Some(0), "the largest group");
    let said = "document \"cat-de\" is in no group: no other document is within k=0";
    assert!(driver.screen().contains(said), "{}", driver.screen());
    // Keys are about the row that shows: the first document of the largest group.
    let first = driver.app.groups.listing.as_ref().unwrap().groups.representative(0);
    assert_eq!(driver.app.query(), Some(first));
    let driver = driver.keys("<esc>");
    assert_eq!(selected(&driver), "cat-de");
    // Near is about the row under the cursor.
    let driver = driver.keys("42");
    assert_eq!(driver.app.near.query, Some(first));
    // A k at which it is in a group leads there, as long as no key moved.
    let driver = Driver::sample(80, 24).keys("/rumour-3<enter>---4");
    assert!(driver.screen().contains("document \"rumour-3\" is in no group"));
    assert_eq!(selected(&driver.keys("+++")), "rumour-3");
}

#[test]
fn the_largest_group_comes_first_unless_a_document_was_chosen() {
    // The first document is in the second group.
    let rows = [
        ("first", 0xff00),
        ("first-copy", 0xff00),
        ("big", 0),
        ("big-copy", 0),
        ("big-again", 0),
        ("alone", 0xffff_0000_0000),
    ];
    let rows = rows.map(|(id, bits)| (id.to_owned(), bits));
    let open = || Driver::open(carried(&rows), settings(), 80, 24);
    let driver = open().keys("4");
    assert_eq!((driver.app.groups.selected(), selected(&driver).as_str()), (Some(0), "big"));
    // Docs is left where it was, and Near is about what was under the cursor.
    assert_eq!(selected(&driver.keys("1")), "first");
    let driver = open().keys("42");
    assert_eq!(selected(&driver), "big");
    // From its neighbours, from another row, or from a filter: its own group.
    for keys in ["<enter>4", "j4", "ffirst<enter>4", "4j14"] {
        let driver = open().keys(keys);
        assert_eq!(driver.app.groups.selected(), Some(1), "{keys}");
    }
}

/// The text that a key copies.
fn copied(driver: &mut Driver) -> Option<String> {
    let effects = simscope::app::update(&mut driver.app, Message::Key(Key::char('y')));
    effects.into_iter().find_map(|effect| match effect {
        Effect::Copy(text) => Some(text),
        _ => None,
    })
}

#[test]
fn y_copies_what_the_cursor_is_on() {
    for (keys, ids) in [
        ("j", Some("tide-log-copy")),
        // A neighbour, not the query.
        ("<enter>jj", Some("tide-log-geese")),
        ("/cat-de<enter>---4", Some("tide-log")),
        ("4j", Some("rumour-1")),
        ("4jlj", Some("rumour-2")),
        // Both of a pair.
        ("<enter>jj3", Some("tide-log\ttide-log-geese")),
        ("vv<enter>", Some("tide-log\ttide-log-twenty")),
        ("5", None),
        ("6", None),
    ] {
        let mut driver = Driver::sample(80, 24).keys(keys);
        assert_eq!(copied(&mut driver).as_deref(), ids, "{keys}");
        let is_listed =
            Keymap::default().bindings(driver.app.view()).any(|it| it.action == Action::Copy);
        assert_eq!(is_listed, ids.is_some(), "{keys}: help lists the key where it copies");
        assert_eq!(driver.screen().contains("copied: "), ids.is_some(), "{keys}");
    }
}

#[test]
fn a_chosen_linkage_holds_in_the_status_row_in_docs_and_in_tune() {
    let driver = Driver::sample(140, 40).keys("++++++4c");
    let screen = |driver: &Driver| driver.screen();
    let listing = driver.app.groups.listing.as_ref().unwrap();
    assert_eq!(listing.linkage, Linkage::Complete);
    let n_groups = listing.groups.len();
    let single = driver.app.analysis.totals().unwrap().groups.groups as usize;
    assert_ne!(n_groups, single, "the sample tells the two apart");
    let said = format!("{n_groups} groups by complete linkage");
    assert!(screen(&driver).contains(&said), "{}", screen(&driver));
    let driver = driver.keys("1");
    assert!(screen(&driver).contains(&said), "{}", screen(&driver));
    assert!(screen(&driver).contains(", complete linkage"), "{}", screen(&driver));
    let driver = driver.keys("5");
    assert!(screen(&driver).contains("by single linkage"), "{}", screen(&driver));
    // Another k on another screen: groups of complete linkage are made anew there.
    let driver = driver.keys("-");
    let listing = driver.app.groups.listing.as_ref().unwrap();
    assert_eq!((listing.k, listing.linkage), (8, Linkage::Complete));
    let said = format!("{} groups by complete linkage", listing.groups.len());
    assert!(screen(&driver).contains(&said), "{}", screen(&driver));
    let driver = driver.keys("4c");
    assert!(!screen(&driver.keys("5")).contains("linkage"));
}

#[test]
fn the_groups_follow_k_and_the_linkage_and_the_selected_one_stays() {
    let mut driver = Driver::sample(80, 24).keys("/rumour-3<enter>4");
    for (key, k) in [("+", 4), ("+", 5), ("-", 4), ("-", 3), ("-", 2), ("+", 3)] {
        driver = driver.keys(key);
        let listing = driver.app.groups.listing.as_ref().unwrap();
        assert_eq!((listing.k, listing.linkage), (k, Linkage::Single));
        let chosen = driver.app.groups.document.expect("a document");
        assert_eq!(driver.app.analysis.corpus.id(chosen), "rumour-3");
        let group = listing.groups.group_of(chosen);
        assert!(group.is_none_or(|group| driver.app.groups.selected() == Some(group)));
        assert_eq!(selected(&driver) == "rumour-3", group.is_some());
        let shape = driver.app.groups.shape().expect("the shape is asked for");
        assert_eq!(shape.k, k);
    }
    let driver = driver.keys("+++c");
    let listing = driver.app.groups.listing.as_ref().unwrap();
    assert_eq!((listing.k, listing.linkage), (6, Linkage::Complete));
    let group = listing.groups.group_of(driver.app.query().unwrap());
    assert_eq!(driver.app.groups.selected(), group);
    assert!(driver.app.groups.shapes.values().all(|shape| !shape.is_chain()));
    let driver = driver.keys("c");
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().linkage, Linkage::Single);
    // There and back again: complete linkage is asked for anew.
    let driver = driver.keys("c");
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().linkage, Linkage::Complete);
}

#[test]
fn rows_fold_and_unfold() {
    let rows = |driver: &Driver| driver.app.groups.tree.as_ref().unwrap().len();
    let driver = open(80, 24).keys("4l");
    assert_eq!((rows(&driver), selected(&driver).as_str()), (7, "left"));
    // The copies of the first, a row each.
    let driver = driver.keys("l");
    assert_eq!(rows(&driver), 9);
    let driver = driver.keys("jj");
    assert_eq!(selected(&driver), "left-copy-again");
    // Copies fold into their row, the tree into its root, and then there is only the list to go to.
    let driver = driver.keys("h");
    assert_eq!((rows(&driver), selected(&driver).as_str()), (7, "left"));
    let driver = driver.keys("h");
    assert_eq!(rows(&driver), 1);
    assert!(driver.screen().contains("+6"), "{}", driver.screen());
    let driver = driver.keys("h");
    assert_eq!(driver.app.groups.pane, GroupsPane::List);
    let driver = driver.keys("ll");
    assert_eq!(rows(&driver), 7);
    // On a leaf, h goes to what it hangs on.
    let driver = driver.keys("Gh");
    assert_eq!(selected(&driver), "right");
}

#[test]
fn the_next_chain_is_found_round_the_end() {
    let driver = Driver::sample(80, 24).keys("+++4n");
    assert_eq!(selected(&driver), "rumour-1");
    let driver = driver.keys("nnn");
    assert_eq!(selected(&driver), "rumour-1");
    let driver = driver.keys("N");
    assert_eq!(selected(&driver), "letter");
    let driver = driver.keys("------n");
    assert!(driver.screen().contains("no chain"), "{}", driver.screen());
}

#[test]
fn stale_shapes_are_dropped_and_the_screen_says_what_is_late() {
    let mut driver = Driver::sample(80, 24).keys("4");
    driver.mute = true;
    let mut driver = driver.keys("jj");
    assert!(driver.app.groups.asked_shapes.is_running() || driver.app.groups.shape().is_some());
    let mut driver = {
        driver.held.clear();
        driver.keys("+")
    };
    assert!(driver.screen().contains("within k=3, single linkage .."), "{}", driver.screen());
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().k, 3);
    driver.speak();
    assert!(driver.screen().contains("within k=4, single linkage ─"), "{}", driver.screen());
    // Asked for at k = 4, answered at k = 5: nobody listens.
    driver.mute = true;
    let mut driver = driver.keys("c+");
    let at = driver.held_names().iter().position(|name| *name == "groups by linkage");
    let Effect::Run(task) = driver.held.remove(at.expect("it is asked for")) else { panic!() };
    driver.run(task);
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().linkage, Linkage::Single);
    driver.speak();
    let listing = driver.app.groups.listing.as_ref().unwrap();
    assert_eq!((listing.k, listing.linkage), (5, Linkage::Complete));
}

#[test]
fn before_there_are_pairs_it_says_what_it_waits_for() {
    let driver = Driver::idle(80, 24).keys("4jlc<enter>nh");
    assert!(
        driver.screen().contains("groups are shown when the pairs are found"),
        "{}",
        driver.screen()
    );
}

#[test]
fn clicks_select_what_they_hit() {
    use simscope::app::key::{Mouse, MouseAction};
    for (width, height) in [(80, 24), (140, 40)] {
        let mut driver = open(width, height).keys("4");
        let screen = driver.screen();
        let is_its = |row: &str| row.contains("─ right ") && row.contains(" ┄3 ");
        let row = screen.lines().position(is_its).expect("its row");
        let click = |column, row| Mouse { action: MouseAction::Click, column, row };
        driver.send(Message::Mouse(click(width - 20, row as u16)));
        assert_eq!(
            (driver.app.groups.pane, selected(&driver).as_str()),
            (GroupsPane::Tree, "right")
        );
        let row = if width == 140 { 6 } else { 5 };
        driver.send(Message::Mouse(click(10, row)));
        assert_eq!(
            (driver.app.groups.pane, selected(&driver).as_str()),
            (GroupsPane::List, "apart")
        );
    }
}

/// Two hundred thousand copies: nothing on the way to the screen counts them.
#[test]
fn a_group_of_very_many_copies_is_one_row() {
    let n = 200_000;
    let rows: Vec<(String, u64)> =
        (0..n).map(|i| (format!("copy-{i}"), 7 ^ u64::from(i == n - 1))).collect();
    let driver = Driver::open(carried(&rows), settings(), 80, 24).keys("4l");
    assert!(driver.screen().contains("≡199,999"), "{}", driver.screen());
    let driver = driver.keys("lG");
    assert_eq!(driver.app.groups.tree.as_ref().unwrap().len(), n);
    assert_eq!(driver.app.query(), Some(DocId(n as u32 - 1)));
    let driver = driver.keys("k");
    assert_eq!(selected(&driver), "copy-199998");
}

#[test]
fn groups_of_the_recipe_before_are_drawn_while_others_are_computed() {
    // One text with two words exchanged, each time at another place: one fingerprint by single words.
    let text = |at: usize| {
        let mut words: Vec<String> = (0..150).map(|it| format!("word{it}")).collect();
        words.swap(at, at + 1);
        format!("{{\"id\":\"d{at}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    let rows: String = (0..30).map(text).collect();
    let bytes = Box::leak(rows.into_bytes().into_boxed_slice());
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes }];
    let settings = simscope::analysis::Settings { k: 10, ..settings() };
    let mut driver = Driver::open(inputs, settings, 80, 24).keys("4l");
    let shape = driver.app.groups.shape().expect("a group").clone();
    driver.mute = true;
    let mut driver = driver.keys("rj1<enter>");
    let index = driver.app.analysis.index.clone().expect("fingerprints");
    let n_entries = index.n_distinct() as u32;
    assert!(shape.nodes.iter().any(|node| node.entry >= n_entries), "{n_entries} entries");
    driver.speak();
    let shape = driver.app.groups.shape().expect("the group of the new recipe");
    assert_eq!(shape.nodes.len(), n_entries as usize);
}
