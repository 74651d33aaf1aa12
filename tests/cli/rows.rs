//! Every command in every format, to the byte.

use super::shell::{BITS, Shell};

fn shell() -> Shell {
    let texts =
        "{\"id\":\"one, two\",\"text\":\"a rose is a rose\"}\n{\"id\":\"none\",\"text\":\"...\"}\n";
    Shell::with(&[("bits.jsonl", BITS), ("texts.jsonl", texts)])
}

/// Runs the command in all formats but table against what is expected of each.
#[track_caller]
fn check(line: &str, jsonl: &str, csv: &str) {
    let shell = shell();
    assert_eq!(shell.run(line).rows(), jsonl, "jsonl is the default");
    assert_eq!(shell.run(&format!("{line} -f jsonl")).rows(), jsonl);
    assert_eq!(shell.run(&format!("{line} -f csv")).rows(), csv);
    if !csv.contains('"') {
        assert_eq!(shell.run(&format!("{line} --format=tsv")).rows(), csv.replace(',', "\t"));
    }
}

#[test]
fn fingerprint_has_a_row_for_each_document() {
    check(
        "fingerprint texts.jsonl --bits 16",
        "{\"id\":\"one, two\",\"fingerprint\":\"16c7\",\"features\":3}\n\
         {\"id\":\"none\",\"fingerprint\":null,\"features\":0}\n",
        "id,fingerprint,features\n\"one, two\",16c7,3\nnone,,0\n",
    );
}

#[test]
fn fingerprint_echoes_fingerprints_without_inventing_features() {
    let out = shell().run("fingerprint bits.jsonl --bits 8 -f csv").rows();
    assert_eq!(out, "id,fingerprint,features\na,00,\nb,00,\nc,01,\nd,ff,\ne,fe,\nf,3c,\ng,,\n");
}

#[test]
fn pairs_come_nearest_first_then_in_corpus_order() {
    check(
        "pairs bits.jsonl --bits 8 -k 1",
        "{\"a\":\"a\",\"b\":\"b\",\"distance\":0}\n{\"a\":\"a\",\"b\":\"c\",\"distance\":1}\n\
         {\"a\":\"b\",\"b\":\"c\",\"distance\":1}\n{\"a\":\"d\",\"b\":\"e\",\"distance\":1}\n",
        "a,b,distance\na,b,0\na,c,1\nb,c,1\nd,e,1\n",
    );
}

#[test]
fn groups_come_largest_first() {
    check(
        "groups bits.jsonl --bits 8 -k 1",
        "{\"group\":0,\"id\":\"a\",\"representative\":true,\"distance\":0}\n\
         {\"group\":0,\"id\":\"b\",\"representative\":false,\"distance\":0}\n\
         {\"group\":0,\"id\":\"c\",\"representative\":false,\"distance\":1}\n\
         {\"group\":1,\"id\":\"d\",\"representative\":true,\"distance\":0}\n\
         {\"group\":1,\"id\":\"e\",\"representative\":false,\"distance\":1}\n",
        "group,id,representative,distance\n0,a,true,0\n0,b,false,0\n0,c,false,1\n1,d,true,0\n1,e,false,1\n",
    );
}

/// People know a document by its title; programs read it where they want it.
#[test]
fn a_table_of_groups_shows_titles() {
    let rows = "{\"id\": \"a\", \"title\": \"Low tide\", \"text\": \"mud and gulls\"}\n";
    let shell = Shell::with(&[("t.jsonl", &rows.repeat(300)), ("plain.txt", "mud and gulls")]);
    let table = shell.run("groups -q -f table t.jsonl plain.txt").rows();
    let last = |line: &str| line.split("  ").last().unwrap_or_default().trim().to_owned();
    assert_eq!(table.lines().next().map(last).as_deref(), Some("title"), "{table}");
    assert_eq!(table.lines().filter(|line| last(line) == "Low tide").count(), 300);
    assert_eq!(table.lines().last().map(last).as_deref(), Some("mud and gulls"), "{table}");
    assert!(!shell.run("groups -q -f csv t.jsonl").rows().contains("Low tide"));
}

#[test]
fn groups_may_be_summed_up_or_split_where_two_are_too_far() {
    check(
        "groups bits.jsonl --bits 8 -k 1 --summary",
        "{\"group\":0,\"size\":3,\"distinct\":2,\"diameter\":1,\"weakest\":1,\"covered\":3,\"bridge\":null,\"representative\":\"a\"}\n\
         {\"group\":1,\"size\":2,\"distinct\":2,\"diameter\":1,\"weakest\":1,\"covered\":2,\"bridge\":null,\"representative\":\"d\"}\n",
        "group,size,distinct,diameter,weakest,covered,bridge,representative\n0,3,2,1,1,3,,a\n1,2,2,1,1,2,,d\n",
    );
    // 00 00 01 and ff fe hang together by 3c, which is four bits from either.
    let shell = shell();
    let chain = shell.run("groups bits.jsonl --bits 8 -k 4 --summary -f csv").rows();
    assert!(chain.ends_with("\n0,6,5,8,4,4,f,a\n"), "{chain}");
    let parts = shell.run("groups bits.jsonl --bits 8 -k 4 --linkage complete -f csv");
    assert!(parts.err.contains("6 of 7 documents in 2 groups within 4, every two of a group"));
    let expected = "group,id,representative,distance\n0,a,true,0\n0,b,false,0\n0,c,false,1\n1,d,true,0\n1,e,false,1\n1,f,false,4\n";
    assert_eq!(parts.rows(), expected);
}

#[test]
fn query_by_id_leaves_out_the_document_and_keeps_its_copies() {
    check(
        "query --id a bits.jsonl --bits 8 -k 1",
        "{\"id\":\"b\",\"distance\":0}\n{\"id\":\"c\",\"distance\":1}\n",
        "id,distance\nb,0\nc,1\n",
    );
}

#[test]
fn query_takes_a_fingerprint_a_text_or_a_file() {
    let shell = shell();
    let of = |args: &[&str]| {
        shell.run_args(&[&["query", "-f", "csv", "texts.jsonl"], args].concat()).rows()
    };
    assert_eq!(of(&["--text", "A  rose; is a ROSE!"]), "id,distance\n\"one, two\",0\n");
    std::fs::write(shell.path("rose.txt"), "a rose is a rose").unwrap();
    assert_eq!(of(&["--text-file", "rose.txt"]), "id,distance\n\"one, two\",0\n");
    let out = shell.run("query --fingerprint fd bits.jsonl --bits 8 -k 2 -f csv").rows();
    assert_eq!(out, "id,distance\nd,1\ne,2\n");
}

#[test]
fn a_distance_no_table_can_guarantee_is_still_answered() {
    let out = shell().run("query --fingerprint ff bits.jsonl --bits 8 -k 8 -f csv").rows();
    assert_eq!(out, "id,distance\nd,0\ne,1\nf,4\nc,7\na,8\nb,8\n");
}

#[test]
fn explain_says_which_tables_hit() {
    check(
        "explain a c bits.jsonl --bits 8 -k 1 --blocks 2",
        "{\"a\":\"a\",\"b\":\"c\",\"distance\":1,\"width\":8,\"fingerprint_a\":\"00\",\"fingerprint_b\":\"01\",\
         \"cosine\":0.9239,\"cosine_low\":0.1449,\"cosine_high\":0.9991,\"differing_bits\":[0],\"layout\":\"2c1k1\",\"guarantee\":1,\
         \"blocks\":[{\"block\":\"A\",\"bits_off\":0},{\"block\":\"B\",\"bits_off\":1}],\
         \"tables\":[{\"table\":1,\"key\":\"A\",\"hit\":true,\"damaged\":[]},\
         {\"table\":2,\"key\":\"B\",\"hit\":false,\"damaged\":[\"B\"]}],\"tables_hit\":1,\"n_tables\":2,\
         \"expected_tables\":1.0,\"candidate_chance\":1.0,\"needed_k\":1,\"remedies\":[]}\n",
        "table,key,hit,damaged,mask\n1,A,true,,f0\n2,B,false,B,0f\n",
    );
}

#[test]
fn explain_draws_the_blocks() {
    let line = "explain a c bits.jsonl --bits 8 -k 1 --blocks 2 -f table";
    let expected = "
    one  00  a
    two  01  c
 cosine  0.92 by the bits alone, 95 %: 0.14 to 1.00 (only for a pair that was not chosen by its distance)

 block A    B
 one   0000 0000
 two   0000 0001
 xor   .... ...^
 off        1

distance 1 of 8 bits: near at k = 1
 Found. 1 differing bit lies in 1 of 2 blocks; up to 1 always leave a key intact, so the pair had to be a candidate.
 The corpus does not hold both texts, so their features are not known.

a candidate in 1 of 2 tables (2c1k1)
     equal keys  01 (A)
 differing keys  02 (B)
         blocks  1 bit of B differs; equal: A
       expected  with d = 1 anywhere, a pair is a candidate in 1.00 of 2 tables on average, in at least one with chance 1.000
";
    let (shell, expected) = (shell(), &expected[1..]);
    assert_eq!(shell.run(&format!("{line} --glyphs ascii")).rows(), expected);
    assert_eq!(shell.run(line).rows(), expected.replace('^', "▲"));
}

#[test]
fn explain_says_when_the_guarantee_ends() {
    let of = |line: &str| shell().run(line).rows();
    let out = of("explain a d bits.jsonl --bits 8 -k 1 --blocks 2 -f table");
    assert!(
        out.contains(
            "Not a candidate, and not near: d = 8 > 1. 8 differing bits lie in 2 of 2 blocks"
        ),
        "{out}"
    );
    let out = of("explain a c bits.jsonl --bits 8 -k 1 --bands 1x4 -f table");
    assert!(out.contains("beyond the guarantee of 0 a key stays intact only by luck"), "{out}");
    // A candidate is not yet found.
    let out = of("explain a d bits.jsonl --bits 8 -k 1 --bands 1x4 -f table");
    assert!(!out.contains("catch") && !out.contains("Found"), "{out}");
}

#[test]
fn a_table_is_aligned_and_says_its_counts_beside() {
    let done = shell().run("pairs bits.jsonl --bits 8 -k 1 -f table");
    assert_eq!(
        done.out,
        "a  b  distance\na  b         0\na  c         1\nb  c         1\nd  e         1\n"
    );
    assert!(
        done.err.ends_with("note: 4 pairs within 1 among 6 of 7 documents, 2 groups\n"),
        "{}",
        done.err
    );
}

#[test]
fn no_rows_leave_the_header() {
    let shell = shell();
    assert_eq!(shell.run("pairs texts.jsonl -f csv").rows(), "a,b,distance\n");
    assert_eq!(
        shell.run("groups texts.jsonl -f tsv").rows(),
        "group\tid\trepresentative\tdistance\n"
    );
    assert_eq!(shell.run("pairs texts.jsonl -f table").rows(), "a  b  distance\n");
    assert_eq!(shell.run("pairs texts.jsonl").rows(), "");
}

#[test]
fn hostile_ids_are_made_visible_in_tables_only() {
    let line = "{\"id\":\"\\u001b[2Jx\\u202e\",\"text\":\"a b c\"}\n";
    let shell = Shell::with(&[("evil.jsonl", line)]);
    let out = shell.run("fingerprint evil.jsonl -f table").rows();
    assert!(out.contains("^[[2Jx<U+202E>"), "{out}");
    let out = shell.run("fingerprint evil.jsonl -f csv").rows();
    assert!(out.contains("\u{1b}[2Jx\u{202e},"), "{out:?}");
    let done = shell.run_args(&["query", "--id", "\u{1b}[2J", "evil.jsonl"]);
    assert!(!done.err.contains('\u{1b}'), "{:?}", done.err);
}

#[test]
fn the_sample_has_its_golden_pairs() {
    let golden = include_str!("../../assets/sample-pairs.csv");
    let done = shell().run("pairs -k 8 -f csv");
    assert_eq!(done.out, golden);
    assert!(done.err.contains("this is the bundled sample corpus"), "{}", done.err);
}

#[test]
fn tune_has_a_row_for_each_k_and_says_what_follows() {
    let done = shell().run("tune bits.jsonl --bits 8 -k 1 -f csv");
    let expected = "k,at_k,at_k_low,at_k_high,at_k_by_chance,pairs,pairs_low,pairs_high,\
                    pairs_by_chance,method,groups,largest,documents,dropped,guaranteed,\
                    text_pairs,precision,precision_low,precision_high,recall,recall_low,\
                    recall_high,recall_method,dropped_most\n\
                    0,1,1,1,0.03906,1,1,1,0.03906,exact,1,2,2,,true,,,,,,,,,1\n\
                    1,3,3,3,0.3125,4,4,4,0.3516,exact,2,3,5,3,true,,,,,,,,,3\n\
                    2,0,0,0,1.094,4,4,4,1.445,exact,2,3,5,,false,,,,,,,,,3\n";
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with(expected), "{}", done.out);
    assert_eq!(done.out.lines().count(), 10);
    let note = "note: no text to compare, so no k is known to be precise; up to k = 1 chance alone explains less than one pair\n";
    assert!(done.err.contains(note), "{}", done.err);
}

#[test]
fn tune_counts_what_pairs_and_groups_find() {
    let shell = shell();
    let rows = shell.run("tune -f csv").rows();
    for k in [0, 3, 8] {
        let pairs = shell.run(&format!("pairs -k {k} -f csv")).rows().lines().count() - 1;
        let groups = shell.run(&format!("groups -k {k} -f csv")).rows();
        let documents = groups.lines().count() - 1;
        let n_groups = groups.lines().filter(|row| row.contains(",true,")).count();
        let row: Vec<&str> = rows.lines().nth(k + 1).unwrap().split(',').collect();
        let found = [row[0], row[5], row[10], row[12]].map(|cell| cell.parse::<usize>().unwrap());
        assert_eq!(found, [k, pairs, n_groups, documents]);
    }
}

#[test]
fn layouts_have_a_row_each() {
    let out = shell().run("tune --layouts bits.jsonl --bits 8 -k 1 -f csv").rows();
    let expected = "layout,guarantee,tables,key_bits_min,key_bits_max,bytes,key_matches,predicted,skew,\
                    effective_bits,fullest,masks\n2c1k1,1,2,4,4,120,2,1.25,1.6,3.322,2,f0 0f\n";
    assert!(out.starts_with(expected), "{out}");
}

/// An excerpt has a share of the whole, and the whole has all of the excerpt.
#[test]
fn a_pair_says_how_much_of_b_is_in_a() {
    let words = |n: u32| (0..n).map(|word| format!("word{word} ")).collect::<Vec<_>>().concat();
    let (whole, half) = (words(40), words(21));
    let rows = format!(
        "{{\"id\":\"whole\",\"text\":\"{whole}\"}}\n{{\"id\":\"half\",\"text\":\"{half}\"}}\n"
    );
    let other = format!(
        "{{\"id\":\"half\",\"text\":\"{half}\"}}\n{{\"id\":\"whole\",\"text\":\"{whole}\"}}\n"
    );
    let shell = Shell::with(&[("a.jsonl", &rows), ("b.jsonl", &other)]);
    let of = |file: &str| shell.run(&format!("pairs -q -k 64 --shared -f csv {file}")).out;
    assert!(of("a.jsonl").starts_with("a,b,distance,shared\nwhole,half,"));
    assert!(of("a.jsonl").ends_with(",1.0000\n"), "{}", of("a.jsonl"));
    // 19 of 38 shingles.
    assert!(of("b.jsonl").ends_with(",0.5000\n"), "{}", of("b.jsonl"));
}

/// The keys of tables over all bits have masks that hold each bit once.
#[test]
fn masks_of_blocks_hold_each_bit_once() {
    let out = Shell::with(&[]).run("tune --layouts -q -k 3 -f jsonl").out;
    let rows = out.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let row = rows.into_iter().find(|row| row["layout"] == "4c1k3").unwrap();
    let masks = row["masks"].as_array().unwrap().iter();
    let masks = masks.map(|mask| u64::from_str_radix(mask.as_str().unwrap(), 16).unwrap());
    let (all, n) = masks.fold((0, 0), |(all, n), mask| (all | mask, n + mask.count_ones()));
    assert_eq!((all, n), (u64::MAX, 64));
}
