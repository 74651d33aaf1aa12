//! The word-break classes of common characters of common scripts: one table look-up for each character.
//!
//! The table lists only simple characters: normal form C does not change them, their lower case is at most one
//! such character, and their class has few rules. So it has no Hebrew (a quote may be part of a word), no final
//! sigma, and no vowel sign that composes with the character before. Every other character is [`Class::Other`],
//! and text that contains one is cut by the full tables of Unicode. A test compares every entry with those
//! tables, so it also fails when a new version of Unicode changes a class. Costs 64 kB, filled on first use.
//! Source: Unicode 17, `WordBreakProperty.txt`, by range.

use std::sync::LazyLock;

/// The word-break class of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Class {
    /// Not in the table: the full tables decide.
    #[default]
    Other,
    /// Joins with letters and digits. Its lower case is itself, except for ASCII capitals.
    Letter,
    /// A letter whose lower case must be looked up.
    Capital,
    /// Joins with letters and digits.
    Digit,
    /// Katakana: joins with Katakana.
    Kana,
    /// `_`: joins with letters, digits and Katakana; alone it is not a word.
    Join,
    /// A word by itself: an ideograph, a syllable of Hiragana, a Thai letter.
    Single,
    /// A combining mark: belongs to the character before it.
    Mark,
    /// A combining mark that normalisation may swap with a neighbouring mark.
    Reordering,
    /// Joins two letters.
    MidLetter,
    /// Joins two digits.
    MidDigit,
    /// Joins two letters or two digits.
    MidBoth,
    /// Is not part of a word and does not join characters.
    Break,
}

/// Classes of the characters up to U+FFFF.
pub(super) type Classes = [Class; 0x1_0000];

/// The table.
pub(super) fn classes() -> &'static Classes {
    static CLASSES: LazyLock<Box<Classes>> = LazyLock::new(fill);
    &CLASSES
}

fn fill() -> Box<Classes> {
    let mut classes = vec![Class::Other; 0x1_0000];
    for &(class, ranges) in RANGES {
        for range in ranges.split_whitespace() {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let code = |hex| usize::from_str_radix(hex, 16).expect("the table is written in hex");
            classes[code(first)..=code(last)].fill(class);
        }
    }
    classes.into_boxed_slice().try_into().expect("one class for each code point")
}

/// ASCII; then Latin, Greek, Cyrillic, Armenian, Arabic, Devanagari, Bengali, Tamil, Thai, Burmese, Georgian, Ethiopic,
/// punctuation, the scripts of Chinese, Japanese and Korean, and full-width forms.
const RANGES: &[(Class, &str)] = &[
    (Class::Break, "00-7f"),
    (Class::Letter, "41-5a 61-7a"),
    (Class::Digit, "30-39"),
    (Class::Join, "5f"),
    (Class::MidLetter, "3a"),
    (Class::MidDigit, "2c 3b"),
    (Class::MidBoth, "27 2e"),
    (
        Class::Letter,
        "df-f6 3ac-3ce 430-45f 560-588 620-64a 66e-66f 671-6d3 6d5 6e5-6e6 6ee-6ef 6fa-6fc \
         6ff 904-939 93d 950 960-961 971-980 985-98c 98f-990 993-9a8 9aa-9b0 9b2 9b6-9b9 \
         9bd 9ce 9e0-9e1 9f0-9f1 9fc b83 b85-b8a b8e-b90 b92-b95 b99-b9a b9c b9e-b9f \
         ba3-ba4 ba8-baa bae-bb9 bd0 10d0-10fa 1200-1248 124a-124d 1250-1256 1258 125a-125d \
         1260-1288 128a-128d 1290-12b0 12b2-12b5 12b8-12be 12c0 12c2-12c5 12c8-12d6 \
         12d8-1310 1312-1315 1318-135a 3005 303b-303c ac00-d7a3 ff41-ff5a",
    ),
    (
        Class::Capital,
        "aa b5 ba c0-d6 d8-de f8-12f 131-24f 370-373 376-377 37a-37d 37f 386 388-38a 38c \
         38e-3a1 3a4-3ab 3cf-3f3 3f5 3f7-42f 460-481 48a-52f 531-556 559 10fc-10ff \
         1e00-1eff ff21-ff3a",
    ),
    (Class::Digit, "660-669 6f0-6f9 966-96f 9e6-9ef be6-bef e50-e59 1040-1049 1090-1099 ff10-ff19"),
    (Class::Kana, "3031-3035 30a1-30fa 30fc-30ff"),
    (
        Class::Single,
        "b2-b3 b9 bc-be 9f4-9f9 bf0-bf2 e01-e30 e32-e33 e40-e46 1000-102a 103f 1050-1055 \
         105a-105d 1061 1065-1066 106e-1070 1075-1081 108e 1369-137c 3006-3007 3021-3029 \
         3038-303a 3041-3096 309d-309f 3400-4dbf 4e00-9fff",
    ),
    (
        Class::Mark,
        "ad 488-489 61c 900-903 93a-93b 93e-94c 94e-94f 955-957 962-963 981-983 9bf-9c4 \
         9c7-9c8 9cb-9cc 9e2-9e3 b82 bbf-bc2 bc6-bc8 bca-bcc e31 e34-e37 e47 e4c-e4e \
         102b-102d 102f-1036 1038 103b-103e 1056-1059 105e-1060 1062-1064 1067-106d \
         1071-1074 1082-108c 108f 109a-109d 202a-202e",
    ),
    (
        Class::Reordering,
        "483-487 610-61a 64b-652 656-65f 670 6d6-6dc 6df-6e4 6e7-6e8 6ea-6ed 94d 951-954 \
         9bc 9cd 9fe bcd e38-e3a e48-e4b 1037 1039-103a 108d 135d-135f 302a-302f",
    ),
    (Class::MidLetter, "b7 55f 2027 ff1a"),
    (Class::MidDigit, "589 60c-60d 66c 2044 ff0c ff1b"),
    (Class::MidBoth, "2018-2019 2024 ff07 ff0e"),
    (
        Class::Break,
        "80-a9 ab-ac ae-b1 b4 b6 bb bf d7 f7 375 384-385 3f6 482 55d 606-60b 60e-60f 61b \
         61d-61f 66a 66d 6d4 6de 6e9 6fd-6fe 964-965 970 9f2-9f3 9fa-9fb 9fd bf3-bfa e3f \
         e4f e5a-e5b 104a-104f 109e-109f 10fb 1360-1368 2010-2017 201a-2023 2025-2026 \
         2028-2029 2030-203e 2041-2043 2045-2053 2055-205e 20a0-20bf 3000-3004 3008-3020 \
         3030 3036-3037 303d-303f 30fb ff01-ff06 ff08-ff0b ff0d ff0f ff1c-ff20 ff3b-ff3e \
         ff40 ff5b-ff65",
    ),
];
