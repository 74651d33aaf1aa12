//! The groups of the Docs screen: what stands in their rows, where keys lead, and what follows k and the linkage.

use std::cmp::Ordering;

use simscope::analysis::Settings;
use simscope::analysis::dedup::Dropped;
use simscope::app::custom_keys::Keymap;
use simscope::app::key::Key;
use simscope::app::keymap::Action;
use simscope::app::screen::groups::{Fate, GroupRow};
use simscope::app::{Effect, Message, Screen};
use simscope::corpus::Input;
use simscope::id::DocId;
use simscope::index::Linkage;

use super::driver::{Driver, has_ascii_signs, settings};

/// Rows that carry fingerprints: `[id, hex]`.
fn carried(rows: &[(String, u64)]) -> Vec<Input> {
    let row = |(id, bits): &(String, u64)| {
        format!("{{\"id\":\"{id}\",\"fingerprint\":\"{bits:016x}\"}}\n")
    };
    let bytes: String = rows.iter().map(row).collect();
    vec![Input::Bundled { name: "rows.jsonl", bytes: Box::leak(bytes.into_bytes().into()) }]
}

fn selected(driver: &Driver) -> String {
    driver.app.analysis.corpus.id(driver.app.query().expect("a document")).to_owned()
}

/// Whether the row of a group is selected.
fn is_on_group(driver: &Driver) -> bool {
    matches!(driver.app.groups.selected(), Some(GroupRow::Group(_)))
}

/// The sample with each of its groups open.
fn opened(width: u16, height: u16, keys: &str) -> Driver {
    let mut driver = Driver::groups(width, height).keys(keys).keys("g");
    let n_groups = driver.app.groups.len() as u32;
    for group in 0..n_groups {
        if !driver.app.groups.opened.contains_key(&group) {
            driver = driver.keys("l");
        }
        let by = driver.app.groups.opened[&group].len() + 1;
        driver = driver.keys(&"j".repeat(by));
    }
    assert_eq!(driver.app.groups.opened.len() as u32, n_groups, "{}", driver.screen());
    driver
}

#[test]
fn a_corpus_opens_on_its_groups_the_largest_first() {
    for (width, height) in [(80, 24), (120, 35), (200, 60), (40, 12)] {
        let driver = Driver::groups(width, height);
        let groups = &driver.app.groups.listing.as_ref().unwrap().groups;
        let sizes: Vec<usize> = groups.iter().map(<[DocId]>::len).collect();
        assert!(sizes.len() == 14 && sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        assert!(driver.app.lists_groups() && is_on_group(&driver));
        assert_eq!(selected(&driver), "tide-log");
        let screen = driver.screen();
        assert!(screen.contains(if width < 80 { "▸ Tide log" } else { "▾ tide-log" }), "{screen}");
        assert!(width < 80 || screen.contains("groups, largest first"), "{screen}");
    }
}

#[test]
fn a_few_groups_are_open_from_the_beginning() {
    // All groups and all their texts have room.
    let driver = Driver::groups(200, 80);
    let (n_groups, groups) = (driver.app.groups.len(), &driver.app.groups);
    let shown: usize = groups.opened.values().map(Vec::len).sum();
    assert!(shown > 0 && n_groups + shown <= 78, "{}", driver.screen());
    let n_texts = |driver: &Driver| driver.app.group_totals().unwrap().documents as usize;
    assert!(n_groups + n_texts(&driver) > 78 || groups.opened.len() == n_groups);
    // On a lower screen the first ones, as far as they leave a fifth of the rows.
    for (width, height) in [(80, 24), (120, 35)] {
        let driver = Driver::groups(width, height);
        let shown: usize = driver.app.groups.opened.values().map(|it| it.len() + 1).sum();
        assert!(driver.app.groups.opened.contains_key(&0), "{}", driver.screen());
        // The row of the corpus comes after the groups.
        assert!(5 * shown <= 4 * (driver.app.page_rows() + 1), "{}", driver.screen());
    }
    // A group of more texts than rows is folded.
    let copies: Vec<(String, u64)> = (0..60).map(|at| (format!("copy-{at}"), 7)).collect();
    let driver = Driver::groups_of(carried(&copies), 80, 24);
    assert!(driver.app.groups.opened.is_empty(), "{}", driver.screen());
    assert!(driver.screen().contains("▸ copy-0"), "{}", driver.screen());
}

#[test]
fn a_corpus_without_near_duplicates_opens_on_all_texts() {
    let texts = "low tide at noon\nthe wall is dry and warm\n";
    let corpus = vec![Input::Bundled { name: "two.txt", bytes: texts.as_bytes() }];
    let mut driver = Driver::groups_of(corpus, 80, 24);
    assert!(!driver.app.lists_groups() && driver.screen().contains("all texts"));
    assert!(driver.screen().contains("no two texts are within 3 bits"), "{}", driver.screen());
    // The keys of groups say why they do nothing.
    for key in ["<tab>", "l", "h"] {
        driver = driver.keys(key);
        let notice = driver.app.notice.clone().unwrap_or_default();
        assert_eq!(notice, "no group is listed at k=3", "{key}");
    }
    let driver = driver.keys("p");
    let notice = driver.app.notice.clone().unwrap_or_default();
    assert_eq!(notice, "policy longest; no group is listed at k=3");
}

/// What goes for a kept text, the doubtful first: that with the least shared text, then the one that is farthest.
fn by_doubt(a: &Dropped, b: &Dropped) -> Ordering {
    let share = |it: &Dropped| it.known_share().unwrap_or(0.0);
    share(a).total_cmp(&share(b)).then(b.distance.cmp(&a.distance))
}

/// Against the decisions and the fingerprints themselves.
#[test]
fn an_opened_group_has_each_kept_text_and_below_it_what_goes_for_it() {
    for keys in ["", "p", "++", "+++p", "+++c"] {
        let driver = opened(160, 50, keys);
        let app = &driver.app;
        let decisions = app.decisions().expect("all is decided");
        let groups = &app.groups.listing.as_ref().unwrap().groups;
        let mut n_goes = 0;
        for (&group, members) in &app.groups.opened {
            let mut expected = Vec::new();
            for &kept in groups.documents(group).iter().filter(|it| decisions.is_kept(**it)) {
                expected.push(kept);
                let goes = |it: &&Dropped| it.kept == kept;
                let mut goes: Vec<&Dropped> = decisions.dropped.iter().filter(goes).collect();
                goes.sort_by(|a, b| by_doubt(a, b));
                n_goes += goes.len();
                expected.extend(goes.iter().map(|it| it.document));
            }
            let listed: Vec<DocId> = members.iter().map(|it| it.document).collect();
            assert_eq!(listed, expected, "{keys}: group {group}");
            for member in members {
                let print = |it: DocId| app.analysis.fingerprint(it).unwrap();
                assert_eq!(member.distance, print(member.document).distance(print(member.other)));
                let goes = decisions.of(member.document);
                assert_eq!(member.fate == Fate::Goes, goes.is_some(), "{keys}: {member:?}");
                if let Some(goes) = goes {
                    assert_eq!((member.other, member.shared), (goes.kept, goes.known_share()));
                }
            }
        }
        assert_eq!(n_goes, decisions.dropped.len(), "{keys}");
    }
}

#[test]
fn the_row_of_a_text_says_how_far_it_is_how_much_it_shares_and_whether_it_goes() {
    let driver = opened(160, 60, "");
    let screen = driver.keys("g").screen();
    let row = |id: &str| {
        let mark = format!("└ {id} ");
        screen.lines().find(|row| row.contains(&mark)).unwrap_or_else(|| panic!("{id}:\n{screen}"))
    };
    let waving = row("tide-log-waving");
    assert!(waving.contains(" 2 bits") && waving.contains(" goes"), "{waving}");
    let copy = row("tide-log-copy");
    assert!(copy.contains(" 0 bits") && copy.contains("100 %") && copy.contains(" goes"), "{copy}");
    let kept = screen.lines().find(|row| row.contains("    tide-log ")).expect("the kept one");
    assert!(kept.contains(" keep") && !kept.contains(" bits "), "{kept}");
}

#[test]
fn one_selection_comes_and_goes() {
    // Tab leads to the group of the selected document, and to that document in it.
    let driver = Driver::groups(80, 24).keys("/rumour-3<enter>");
    assert!(!driver.app.lists_groups(), "words are looked for in all texts");
    let driver = driver.keys("<tab>");
    assert!(driver.app.lists_groups() && !is_on_group(&driver), "{}", driver.screen());
    assert_eq!(selected(&driver), "rumour-3");
    let driver = driver.keys("<tab>");
    assert_eq!((driver.app.lists_groups(), &*selected(&driver)), (false, "rumour-3"));
    // Esc forgets the words, then goes back to the groups.
    let driver = driver.keys("<esc><esc>");
    assert_eq!((driver.app.lists_groups(), &*selected(&driver)), (true, "rumour-3"));
    // Enter goes to the pair of a text and the one kept for it, and Esc back to its row.
    let (document, member) = (driver.app.query(), *driver.app.groups.selected_member().unwrap());
    let driver = driver.keys("<enter>");
    assert_eq!((driver.app.screen, driver.app.near.query), (Screen::Pair, document));
    let other = driver.app.near.selected().unwrap().document;
    assert!(member.fate == Fate::Kept || other == member.other, "{}", driver.screen());
    let driver = driver.keys("<esc>");
    assert_eq!((driver.app.screen, &*selected(&driver)), (Screen::Docs, "rumour-3"));
    // A filter turns to all texts, and Esc lifts it before it goes back.
    let driver = driver.keys("frumour<enter>");
    assert!(!driver.app.lists_groups() && driver.app.docs.len() < 100);
    let driver = driver.keys("<esc>");
    assert!(!driver.app.lists_groups() && driver.app.docs.len() == 100);
    assert!(driver.keys("<esc>").app.lists_groups());
    for key in ["s", "S"] {
        assert!(!Driver::groups(80, 24).keys(key).app.lists_groups(), "{key}");
    }
    assert!(!Driver::groups(80, 24).keys("oauthor<enter>").app.lists_groups());
}

#[test]
fn a_document_without_group_is_said_to_have_none() {
    let driver = Driver::groups(80, 24).keys("/cat-de<enter>---<tab>");
    assert!(driver.app.lists_groups());
    let said = "\"cat-de\" is in no group at k=0";
    assert!(driver.screen().contains(said), "{}", driver.screen());
}

#[test]
fn enter_opens_a_folded_group_and_goes_on_from_an_open_one() {
    let driver = Driver::groups(80, 24);
    let (n_rows, last) = (driver.app.groups.n_rows(), driver.app.groups.len() as u32 - 1);
    let driver = driver.keys("G");
    assert!(is_on_group(&driver) && !driver.app.groups.opened.contains_key(&last));
    let driver = driver.keys("<enter>");
    assert!(driver.app.groups.opened.contains_key(&last) && driver.app.screen == Screen::Docs);
    assert!(driver.app.groups.n_rows() > n_rows);
    let (head, first) = (driver.app.query(), driver.app.groups.opened[&last][1]);
    let near = driver.keys("<enter>");
    assert_eq!((near.app.screen, near.app.near.query), (Screen::Pair, head));
    assert_eq!(near.app.near.selected().map(|it| it.document), Some(first.document));
}

#[test]
fn groups_open_and_close() {
    let driver = Driver::groups(120, 35).keys("jj");
    let n_rows = driver.app.groups.n_rows();
    assert!(!is_on_group(&driver));
    // From a text h closes its group, and selects it.
    let driver = driver.keys("h");
    assert!(is_on_group(&driver) && driver.app.groups.cursor.selected == 0);
    assert!(driver.app.groups.n_rows() < n_rows && driver.screen().contains("▸ Tide log"));
    let driver = driver.keys("h");
    assert_eq!(driver.app.notice.as_deref(), Some("this group is folded"));
    let driver = driver.keys("l");
    assert_eq!(driver.app.groups.n_rows(), n_rows);
    let driver = driver.keys("l");
    assert_eq!(driver.app.notice.as_deref(), Some("nothing is folded here"));
}

#[test]
fn k_and_the_linkage_keep_the_selected_document() {
    let mut driver = Driver::groups(80, 24).keys("/rumour-3<enter><tab>");
    for (key, k) in [("+", 4), ("+", 5), ("-", 4), ("-", 3), ("+", 4), ("+", 5), ("+", 6)] {
        driver = driver.keys(key);
        let listing = driver.app.groups.listing.as_ref().unwrap();
        assert_eq!((listing.k, listing.linkage), (k, Linkage::Single));
        assert_eq!(selected(&driver), "rumour-3", "k = {k}: {}", driver.screen());
    }
    let driver = driver.keys("c");
    let listing = driver.app.groups.listing.as_ref().unwrap();
    assert_eq!((listing.k, listing.linkage), (6, Linkage::Complete));
    assert_eq!(selected(&driver), "rumour-3", "{}", driver.screen());
    let driver = driver.keys("c");
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().linkage, Linkage::Single);
    assert_eq!(selected(&driver), "rumour-3");
    // There and back again: complete linkage is asked for anew.
    let driver = driver.keys("c");
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().linkage, Linkage::Complete);
    // On the row of a group, k and the policy leave that row selected and the group as it was.
    let driver = Driver::groups(80, 24).keys("Gkk");
    let (document, n_opened) = (driver.app.query(), driver.app.groups.opened.len());
    for keys in ["+", "-", "p", "p", "p"] {
        let driver = Driver::groups(80, 24).keys("Gkk").keys(keys);
        let groups = &driver.app.groups.listing.as_ref().unwrap().groups;
        let group = groups.group_of(document.unwrap());
        assert_eq!((is_on_group(&driver), driver.app.groups.group()), (true, group), "{keys}");
        assert_eq!(driver.app.groups.opened.len(), n_opened, "{keys}");
    }
}

/// What a smaller k lacks comes back with the k that has it, and the pair that is compared stays in any case.
#[test]
fn a_smaller_k_loses_nothing_that_was_chosen() {
    for keys in ["4kkkjjj1", "---+++", "<enter>---+++1"] {
        let before = Driver::groups(120, 35).keys("jjj");
        let place = |driver: &Driver| {
            let opened: Vec<u32> = driver.app.groups.opened.keys().copied().collect();
            (selected(driver), is_on_group(driver), opened, driver.app.lists_groups())
        };
        let chosen = place(&before);
        let after = before.keys(keys);
        assert_eq!(place(&after), chosen, "{keys}: {}", after.screen());
    }
    let driver = Driver::groups(120, 35).keys("jjj<enter>");
    let pair = driver.app.near.pair().map(|(query, other)| (query, other.document));
    let driver = driver.keys("---");
    assert_eq!(driver.app.near.pair().map(|(query, other)| (query, other.document)), pair);
    // Another recipe has other groups, and the same text is compared.
    let driver = Driver::groups(120, 35).keys("jjj<enter>");
    let query = driver.app.query();
    let driver = driver.keys("rj1<enter>");
    assert_eq!((driver.app.query(), driver.app.near.query), (query, query), "{}", driver.screen());
    assert!(driver.keys("1").app.lists_groups());
    // A choice that was made in between holds.
    let driver = Driver::groups(120, 35).keys("jjj---gj");
    let chosen = selected(&driver);
    let driver = driver.keys("+++");
    assert_eq!(selected(&driver), chosen, "{}", driver.screen());
}

/// The text of a group's row shows, also when a mark makes another text the first kept one.
#[test]
fn a_mark_on_the_row_of_a_group_shows_the_text_that_is_kept_then() {
    let mut driver = Driver::groups(120, 35);
    for _ in 0..3 {
        let before = driver.app.query();
        driver = driver.keys("<space>");
        assert_ne!(driver.app.query(), before, "{}", driver.screen());
        let shown = driver.app.document.asked().map(|it| it.0);
        assert_eq!(shown, driver.app.query(), "{}", driver.screen());
        assert!(!driver.app.docs.preview.is_empty(), "{}", driver.screen());
    }
}

#[test]
fn a_chosen_linkage_holds_in_the_status_row_of_every_screen() {
    let driver = Driver::groups(140, 40).keys("++++++c");
    let screen = |driver: &Driver| driver.screen();
    let listing = driver.app.groups.listing.as_ref().unwrap();
    assert_eq!(listing.linkage, Linkage::Complete);
    let n_groups = listing.groups.len();
    let single = driver.app.analysis.totals().unwrap().groups.groups as usize;
    assert_ne!(n_groups, single, "the sample tells the two apart");
    let said = format!("{n_groups} groups by complete linkage");
    assert!(screen(&driver).contains(&said), "{}", screen(&driver));
    let driver = driver.keys("<tab>");
    assert!(screen(&driver).contains(&said), "{}", screen(&driver));
    let driver = driver.keys("4t");
    assert!(screen(&driver).contains("by single linkage"), "{}", screen(&driver));
    // Another k on another screen: groups of complete linkage are made anew there.
    let driver = driver.keys("-");
    let listing = driver.app.groups.listing.as_ref().unwrap();
    assert_eq!((listing.k, listing.linkage), (8, Linkage::Complete));
    let said = format!("{} groups by complete linkage", listing.groups.len());
    assert!(screen(&driver).contains(&said), "{}", screen(&driver));
    let driver = driver.keys("1c");
    assert!(!screen(&driver.keys("4")).contains("linkage"));
}

#[test]
fn a_mark_changes_what_goes() {
    let driver = Driver::groups(120, 35).keys("jj");
    let document = driver.app.query().unwrap();
    let fate = |driver: &Driver| {
        let members = driver.app.groups.opened[&0].iter();
        members.clone().find(|it| it.document == document).expect("its row").fate
    };
    assert_eq!(fate(&driver), Fate::Goes);
    let driver = driver.keys("<space>");
    assert_eq!((fate(&driver), driver.app.query()), (Fate::Kept, Some(document)));
    assert!(driver.screen().contains("keep*"), "{}", driver.screen());
    let driver = driver.keys("<space>");
    assert_eq!(fate(&driver), Fate::Goes);
    assert!(driver.screen().contains("goes*"), "{}", driver.screen());
    let driver = driver.keys("uux");
    let kept = driver.app.decisions().unwrap().of(document).map(|it| it.kept);
    assert!(
        kept.is_none_or(|kept| {
            !driver.app.review.rule.marks.are_not_duplicates(kept, document)
        })
    );
    assert_eq!(driver.app.review.rule.marks.not_duplicates.len(), 1);
}

/// What goes for the selected text stands below the list: both texts with their differences.
#[test]
fn the_selected_text_stands_against_the_one_that_is_kept_for_it() {
    let driver = Driver::groups(160, 40).keys("jj");
    let member = *driver.app.groups.selected_member().unwrap();
    let id = |it| driver.app.analysis.corpus.id(it);
    let title = format!("against {}", id(member.other));
    assert!(driver.screen().contains(&title), "{}", driver.screen());
    // A kept text stands alone.
    let driver = driver.keys("k");
    assert!(!driver.screen().contains(" against "), "{}", driver.screen());
}

#[test]
fn a_strip_shows_where_in_the_corpus_texts_go() {
    let driver = Driver::groups(120, 35);
    assert!(driver.screen().contains("where in the corpus"), "{}", driver.screen());
    let along: u32 = driver.app.groups.along.iter().sum();
    assert_eq!(along as usize, driver.app.decisions().unwrap().dropped.len());
    assert!(!driver.keys("<tab>").screen().contains("where in the corpus"));
}

/// The number in the row below the tabs.
fn can_go(driver: &Driver) -> usize {
    let screen = driver.screen();
    let row = screen.lines().nth(2).unwrap();
    let before = row.split(" can go").next().unwrap().trim();
    before.replace(',', "").parse().unwrap_or_else(|_| panic!("{screen}"))
}

#[test]
fn the_row_below_the_tabs_says_how_many_are_dropped() {
    for keys in ["", "p", "++", "+++c", "jj<space>", "jjx", "<tab>", "4", "2"] {
        let driver = Driver::groups(120, 35).keys(keys);
        assert_eq!(can_go(&driver), driver.app.decisions().unwrap().dropped.len(), "{keys}");
    }
    // Equal texts without words are in no group, and one of them goes.
    let rows = "{\"id\":\"a\",\"text\":\"...\"}\n{\"id\":\"b\",\"text\":\"...\"}\n";
    let dots = vec![Input::Bundled { name: "dots.jsonl", bytes: rows.as_bytes() }];
    let driver = Driver::groups_of(dots, 120, 35);
    let screen = driver.screen();
    assert_eq!(can_go(&driver), driver.app.decisions().unwrap().dropped.len(), "{screen}");
    assert!(
        screen.contains("1 can go") && screen.contains("equal texts without words"),
        "{screen}"
    );
}

#[test]
fn the_largest_group_comes_first_whatever_the_corpus_begins_with() {
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
    let open = || Driver::groups_of(carried(&rows), 80, 24);
    assert_eq!(selected(&open()), "big");
    assert_eq!(selected(&open().keys("2")), "big");
    assert_eq!(selected(&open().keys("<tab>g<tab>")), "first");
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
        ("/rumour-2<enter><tab>", Some("rumour-2")),
        ("<tab>h", Some("tide-log")),
        // Both of a pair.
        ("<enter>jj3", Some("tide-log\ttide-log-geese")),
        ("4", None),
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
fn late_answers_are_dropped_and_the_list_stays_until_the_next_one() {
    let mut driver = Driver::groups(80, 24);
    driver.mute = true;
    let mut driver = driver.keys("+");
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().k, 3);
    driver.speak();
    assert_eq!(driver.app.groups.listing.as_ref().unwrap().k, 4);
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
fn clicks_select_what_they_hit_and_open_it() {
    use simscope::app::key::{Mouse, MouseAction};
    for (width, height) in [(80, 24), (140, 40)] {
        let mut driver = Driver::groups(width, height);
        let screen = driver.screen();
        let row = screen.lines().position(|row| row.contains("▸ ")).expect("a folded group");
        let click = Mouse { action: MouseAction::Click, column: 10, row: row as u16 };
        driver.send(Message::Mouse(click));
        let group = driver.app.groups.group().unwrap();
        assert!(is_on_group(&driver) && group > 0, "{}", driver.screen());
        assert!(!driver.app.groups.opened.contains_key(&group));
        driver.send(Message::Mouse(click));
        assert!(driver.app.groups.opened.contains_key(&group), "{}", driver.screen());
    }
}

/// Two hundred thousand copies: a folded group is one row, and each text of an open one has its own.
#[test]
fn a_group_of_very_many_copies_is_one_row() {
    let n = 200_000;
    let rows: Vec<(String, u64)> =
        (0..n).map(|i| (format!("copy-{i}"), 7 ^ u64::from(i == n - 1))).collect();
    let driver = Driver::groups_of(carried(&rows), 80, 24);
    assert_eq!(driver.app.groups.n_rows(), 1, "{}", driver.screen());
    assert!(driver.screen().contains("200,000"), "{}", driver.screen());
    let driver = driver.keys("lG");
    assert_eq!(driver.app.groups.n_rows(), n + 1);
}

#[test]
fn groups_of_the_recipe_before_stay_while_others_are_computed() {
    // One text with two words exchanged, each time at another place: one fingerprint by single words.
    let text = |at: usize| {
        let mut words: Vec<String> = (0..150).map(|it| format!("word{it}")).collect();
        words.swap(at, at + 1);
        format!("{{\"id\":\"d{at}\",\"text\":\"{}\"}}\n", words.join(" "))
    };
    let rows: String = (0..30).map(text).collect();
    let bytes = Box::leak(rows.into_bytes().into_boxed_slice());
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes }];
    let settings = Settings { k: 10, ..settings() };
    let mut driver = Driver::open(inputs, settings, 80, 24).keys("<tab>l");
    assert!(driver.app.lists_groups(), "{}", driver.screen());
    driver.mute = true;
    let mut driver = driver.keys("rj1<enter>");
    assert!(driver.app.lists_groups(), "{}", driver.screen());
    driver.speak();
    let groups = &driver.app.groups.listing.as_ref().unwrap().groups;
    assert_eq!((groups.len(), groups.documents(0).len()), (1, 30));
}

#[test]
fn groups_at_two_sizes_and_in_ascii() {
    for (width, height) in [(80, 24), (120, 35)] {
        let driver = Driver::groups(width, height).keys("jj");
        insta::assert_snapshot!(format!("groups-{width}x{height}"), driver.picture());
    }
    insta::assert_snapshot!(
        "groups-without-colour",
        Driver::groups(80, 24).without_colour().picture()
    );
    for (width, height) in [(80, 24), (140, 40), (60, 16), (40, 12)] {
        let screen = Driver::groups(width, height).ascii().keys("jj").picture();
        assert!(has_ascii_signs(&screen), "{width}x{height}:\n{screen}");
    }
}

#[test]
fn without_colour_the_selected_row_is_bold() {
    let driver = Driver::groups(80, 24).without_colour().keys("jj");
    let screen = driver.screen();
    let row = screen.lines().position(|row| row.contains('▶')).expect("a marked row");
    let styles = driver.styles();
    assert!(styles.lines().nth(row).unwrap().contains("BBBBBBBB"), "{screen}{styles}");
}
