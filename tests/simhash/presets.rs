//! Fingerprints of other programs, made by those programs: a preset makes the same.

use simscope::simhash::{Fingerprinter, Preset, Recipe, TieRule};

/// The texts that were given to each program.
const TEXTS: [&str; 7] = [
    "The cat sat on the mat",
    "How are you? I Am fine. blar blar blar blar blar Thanks.",
    "How are you i am fine. blar blar blar blar blar than",
    "The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog again.",
    "\u{4f60}\u{597d}\u{3000}\u{4e16}\u{754c}\u{ff01}\u{3000}\u{547c}\u{565c}\u{3002}",
    "a",
    "",
];

/// A preset, changes to it, and the fingerprint of each text; `-` stands for the 0 of texts without features.
const VECTORS: &[(&str, &str, &str)] = &[
    (
        "1e0ng",
        "",
        "a70a20c0b82b14d5 7521c1f341161c7a 7521c1e2c9161c7a 0c2f1291908a888b db8c51c7172ea364 31c399e269772661 e9800998ecf8427e",
    ),
    (
        "simhash-py",
        "words:1",
        "cb642c411b98260b 8dc2088e68a2cce8 8dc2088e68a2cca8 0fd43cf8cd8b66ce fa8ef8180f420bfb",
    ),
    (
        "simhash-py",
        "words:3",
        "93e02000c002148e 3a423d6840a90316 38c20d6800692714 abae2507d1fbdcca 992af072eafa14b5",
    ),
    ("simhash-py", "", "e30975873b5ffc3a de0da9d53c31aa75 df8deb9d3c35aa74 b973cb972f8331a7 -"),
    (
        "gaoya",
        "words:1",
        "2100a342921c264b a0e15560648f0b4f a0c31469548e0b4f 61e4274e801e237d 16ce9645e7f239b2 61bc7c04456ea77f",
    ),
    ("gaoya", "", "26e884b210d2cc00 de3364ac7378a311 f61066646376a301 b0674a381b669cfc - -"),
    (
        "gaoya",
        "case=lower",
        "d6e82603111adc00 f61164746256a211 f61166646276a211 a227ca3c5b6415fe - -",
    ),
    (
        "gaoya-chars",
        "",
        "6546ad0420fc9167 aeb7c570d0ad4a1f bea7c45270e54a07 2def0fdd46622261 d6881b8951d88d98 - -",
    ),
    ("text-dedup", "", "71010b4cb2a102e9 1958c5841c168531 1158c4061c82c573 e936039dad658200 - - -"),
    (
        "text-dedup",
        "words:1",
        "7e47e47b147a0da1 04b040a248346fb8 46b140a2d0352f38 cef74d6e93de8b81 - - -",
    ),
    (
        "daft",
        "",
        "63908b410db12c4d 36ab42e73ccb9bb2 122b43f735cb9bb2 a23ed4d4685f356c 2c1cd080f952202f - -",
    ),
    (
        "daft",
        "chars:4",
        "d28dbe1675c24d18 ef309611672bab4d ef30c7102e2ea349 b9b2b1045640d614 92717aa00b0dde2b",
    ),
    (
        "simhash-crate",
        "",
        "24040163e4211195 a2929ddc0604b55e aa929ddc2404b55e 3ce90916fcd93dff 7407e13c08eb6a0d 57af97ecc6dfeb45 -",
    ),
];

/// The recipe of a preset with some fields changed.
fn changed(preset: Preset, changes: &str) -> Recipe {
    let field = |word: &str| match word.split_once('=') {
        Some((key, _)) => key.to_owned(),
        None if word.starts_with("words") || word.starts_with("chars") => "features".to_owned(),
        None => word.to_owned(),
    };
    let taken: Vec<String> = changes.split_whitespace().map(field).collect();
    let kept = preset.line().split_whitespace().filter(|word| !taken.contains(&field(word)));
    let line: Vec<&str> = kept.chain(changes.split_whitespace()).collect();
    line.join(" ").parse().unwrap()
}

#[test]
fn presets_make_the_fingerprints_of_the_programs_they_are_named_after() {
    for (name, changes, expected) in VECTORS {
        let recipe = changed(name.parse().unwrap(), changes);
        let fingerprinter = Fingerprinter::new(&recipe).unwrap();
        for (text, expected) in TEXTS.iter().zip(expected.split_whitespace()) {
            let found = fingerprinter.fingerprint(text).map(|found| found.to_string());
            assert_eq!(found.as_deref().unwrap_or("-"), expected, "{recipe}: {text:?}");
        }
    }
}

/// One word that outweighs all others is the fingerprint.
#[test]
fn the_checklist_has_the_low_half_of_md5() {
    let fingerprinter = Fingerprinter::new(&Preset::Checklist.recipe()).unwrap();
    for (text, expected) in [
        ("simhash simhash simhash is simple", "cf61ca3641146b86"),
        ("banana banana apple", "75730123efef7c41"),
    ] {
        assert_eq!(fingerprinter.fingerprint(text).unwrap().to_string(), expected, "{text}");
    }
}

/// The lab prints no fingerprint of a text: of its recipe these are known, and its hand calculation, a test of the
/// votes.
#[test]
fn the_lab_has_ninety_bits_and_a_balanced_one_is_1() {
    let recipe = Preset::Lab.recipe();
    assert_eq!((recipe.bits, recipe.tie), (90, TieRule::One));
}

#[test]
fn every_preset_has_vectors() {
    for preset in Preset::ALL {
        let has_own = matches!(preset, Preset::Simscope | Preset::Checklist | Preset::Lab);
        let is_listed = VECTORS.iter().any(|(name, ..)| *name == preset.name());
        assert!(has_own || is_listed, "{preset}");
    }
}
