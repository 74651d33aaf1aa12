//! JSON that is not an object a line: the items of an array, of an array inside an object, or values one after another,
//! over as many lines as they take. A scanner finds where each item begins and ends; whether it is JSON is for the parser
//! of its row, so that a broken item is reported and the next ones are read.

use std::io;

use memchr::memchr2;
use serde::{Deserialize, Serialize};

use super::blocks::RecordCut;

/// The way in which a JSON input holds its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum JsonForm {
    /// A row a line.
    Lines,
    /// Rows one after another, over several lines or with commas between them.
    Sequence,
    /// The items of an array.
    Array,
    /// The items of an array in an object, in the field of this name.
    Inside(String),
}

/// The bytes around the items of a JSON input, and between them.
#[derive(Default)]
pub(super) struct JsonFrame {
    pub(super) head: Vec<u8>,
    pub(super) between: Vec<u8>,
    pub(super) tail: Vec<u8>,
}

impl JsonFrame {
    /// A line for each item.
    pub(super) fn plain(is_array: bool) -> Self {
        let [head, between, tail] =
            if is_array { ["[\n", ",\n", "\n]\n"] } else { ["", "\n", "\n"] };
        let [head, between, tail] = [head, between, tail].map(|it| it.as_bytes().to_vec());
        Self { head, between, tail }
    }
}

/// Follows strings: whether a byte is inside one.
#[derive(Clone, Copy, Default)]
struct Quotes {
    is_inside: bool,
    is_escaped: bool,
}

impl Quotes {
    /// Goes on behind the end of the string that the position is in, or to the end of the bytes.
    fn skip(&mut self, bytes: &[u8], mut at: usize) -> usize {
        while self.is_inside && at < bytes.len() {
            if std::mem::take(&mut self.is_escaped) {
                at += 1;
                continue;
            }
            let Some(next) = memchr2(b'"', b'\\', &bytes[at..]) else { return bytes.len() };
            at += next + 1;
            match bytes[at - 1] {
                b'"' => self.is_inside = false,
                _ => self.is_escaped = true,
            }
        }
        at
    }
}

/// Finds the fields of an object, in pieces of any size.
#[derive(Default)]
pub(super) struct Keys {
    quotes: Quotes,
    depth: u64,
    /// The name of the present field, with its escapes.
    key: Vec<u8>,
    is_key: bool,
    is_value_next: bool,
}

impl Keys {
    /// The position of the first byte of the next value from `at` on; `None` where the bytes end before it.
    pub(super) fn next(&mut self, bytes: &[u8], mut at: usize) -> Option<usize> {
        while at < bytes.len() {
            if self.quotes.is_inside {
                let end = self.quotes.skip(bytes, at);
                if self.is_key {
                    self.key.extend_from_slice(&bytes[at..end]);
                }
                at = end;
                continue;
            }
            let is_value = self.is_value_next && !bytes[at].is_ascii_whitespace();
            self.is_value_next &= !is_value;
            match bytes[at] {
                b'"' => {
                    self.quotes.is_inside = true;
                    self.is_key = self.depth == 1 && !is_value;
                    if self.is_key {
                        self.key.clear();
                    }
                }
                b':' if self.depth == 1 => self.is_value_next = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if is_value {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    /// The name of the field whose value comes.
    pub(super) fn name(&self) -> Option<String> {
        let quoted = [b"\"", &self.key[..]].concat();
        serde_json::from_slice(&quoted).ok()
    }
}

/// The place of the scanner.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Before the array.
    Before,
    Between,
    /// In an item.
    Within,
    /// Behind the array; whether something else follows.
    After(bool),
}

/// Finds the items of an input, in pieces of any size.
pub(super) struct Items {
    form: JsonForm,
    place: Place,
    keys: Keys,
    quotes: Quotes,
    /// Open brackets of the present item.
    depth: u64,
    /// The first byte of the present item.
    start: usize,
    /// Bytes that were scanned.
    at: usize,
    /// The items that ended.
    found: Vec<(usize, usize)>,
}

impl Items {
    /// A scanner for an input from its first byte on.
    pub(super) fn new(form: JsonForm) -> Self {
        let place = if form == JsonForm::Sequence { Place::Between } else { Place::Before };
        Self {
            form,
            place,
            keys: Keys::default(),
            quotes: Quotes::default(),
            depth: 0,
            start: 0,
            at: 0,
            found: Vec::new(),
        }
    }

    /// A scanner that goes on behind an item.
    pub(super) fn behind_an_item(form: JsonForm) -> Self {
        Self { place: Place::Between, ..Self::new(form) }
    }

    /// Scans the next byte, or a part of a string.
    fn step(&mut self, bytes: &[u8]) {
        if self.place == Place::Before {
            return self.find_array(bytes);
        }
        if self.quotes.is_inside {
            self.at = self.quotes.skip(bytes, self.at);
            if !self.quotes.is_inside && self.depth == 0 {
                self.end_item(self.at);
            }
            return;
        }
        let byte = bytes[self.at];
        self.at += 1;
        match self.place {
            Place::Before => {}
            Place::Between => {
                if !self.is_between(byte) {
                    (self.place, self.start) = (Place::Within, self.at - 1);
                    self.step_within(byte);
                }
            }
            Place::Within => self.step_within(byte),
            Place::After(_) => match byte {
                b'"' if self.depth > 0 => self.quotes.is_inside = true,
                b'{' | b'[' if self.depth > 0 => self.depth += 1,
                b'}' | b']' if self.depth > 0 => self.depth -= 1,
                _ if self.depth > 0 || byte.is_ascii_whitespace() => {}
                _ => self.place = Place::After(true),
            },
        }
    }

    /// Whether a byte separates items, or ends the array.
    fn is_between(&mut self, byte: u8) -> bool {
        let is_end = byte == b']' && self.form != JsonForm::Sequence;
        if is_end {
            // The rest of the object around the array.
            self.depth = u64::from(matches!(self.form, JsonForm::Inside(_)));
            self.place = Place::After(false);
            return true;
        }
        // A record separator stands before each row of a JSON text sequence.
        byte == b',' || byte.is_ascii_whitespace() || byte == 0x1e
    }

    fn step_within(&mut self, byte: u8) {
        match byte {
            b'"' => self.quotes.is_inside = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth > 0 => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.end_item(self.at);
                }
            }
            // The end of a number or a word.
            b',' | b']' if self.depth == 0 && self.start + 1 < self.at => {
                self.end_item(self.at - 1);
                self.is_between(byte);
            }
            _ if self.depth == 0 && byte.is_ascii_whitespace() => self.end_item(self.at - 1),
            // A bracket that nothing opened is an item.
            b'}' | b']' if self.depth == 0 => self.end_item(self.at),
            _ => {}
        }
    }

    fn end_item(&mut self, end: usize) {
        self.found.push((self.start, end));
        self.place = Place::Between;
    }

    /// Goes on behind the bracket that opens the array.
    fn find_array(&mut self, bytes: &[u8]) {
        let JsonForm::Inside(wanted) = &self.form else {
            if bytes[self.at] == b'[' {
                self.place = Place::Between;
            }
            self.at += 1;
            return;
        };
        match self.keys.next(bytes, self.at) {
            Some(at) => {
                if bytes[at] == b'[' && self.keys.name().as_ref() == Some(wanted) {
                    self.place = Place::Between;
                }
                self.at = at + 1;
            }
            None => self.at = bytes.len(),
        }
    }
}

impl RecordCut for Items {
    fn end(&mut self, bytes: &[u8], _from: usize) -> usize {
        while self.at < bytes.len() {
            self.step(bytes);
        }
        if self.place == Place::Within { self.start } else { self.at }
    }

    /// From the end of the item on the bytes are scanned anew.
    fn skip(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        (self.start, self.at) = (0, 0);
        while self.at < bytes.len() {
            self.step(bytes);
            if self.found.pop().is_some() {
                // A bracket or comma behind a number was scanned already.
                return Some(bytes[std::mem::take(&mut self.at)..].to_vec());
            }
        }
        None
    }

    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)> {
        self.at -= bytes.len();
        self.start = self.start.saturating_sub(bytes.len());
        std::mem::take(&mut self.found)
    }

    /// Ends the present item, too.
    fn finish(&mut self, end: usize) -> Option<io::Error> {
        let is_open = self.place == Place::Within && (self.depth > 0 || self.quotes.is_inside);
        if self.place == Place::Within {
            self.found.push((self.start, end));
        }
        let problem = match (self.place, &self.form) {
            (Place::Before, JsonForm::Inside(name)) => {
                format!("no list \"{name}\" in it; name the list with `records`")
            }
            _ if is_open => "ends within its last row; write it again".to_owned(),
            (Place::After(true), _) => {
                "more follows its list, which is not read; make a file of each".to_owned()
            }
            (
                Place::Before | Place::Between | Place::Within,
                JsonForm::Array | JsonForm::Inside(_),
            ) => "its list does not end, so rows may be missing; write it again".to_owned(),
            _ => return None,
        };
        Some(io::Error::other(problem))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The items of a text that is scanned so many bytes at a time, and the problem.
    fn items(form: &JsonForm, text: &str, step: usize) -> (Vec<String>, Option<String>) {
        let mut items = Items::new(form.clone());
        let (mut all, mut bytes) = (Vec::new(), Vec::new());
        let mut add = |items: &mut Items, bytes: &mut Vec<u8>, end: usize| {
            let text =
                |(from, to): (usize, usize)| String::from_utf8_lossy(&bytes[from..to]).into_owned();
            all.extend(items.records(&bytes[..end]).into_iter().map(text));
            bytes.drain(..end);
        };
        for part in text.as_bytes().chunks(step) {
            bytes.extend_from_slice(part);
            let end = items.end(&bytes, 0);
            add(&mut items, &mut bytes, end);
        }
        let problem = items.finish(bytes.len());
        let end = bytes.len();
        add(&mut items, &mut bytes, end);
        (all, problem.map(|problem| problem.to_string()))
    }

    #[test]
    fn items_are_found_whatever_stands_between_them() {
        let data = || JsonForm::Inside("da\"ta".to_owned());
        for (form, text, expected, problem) in [
            (
                JsonForm::Array,
                "[{\"a\":\"]},[\\\"\"} ,\n[1,2],\"x,y\",7 , null]\n",
                &["{\"a\":\"]},[\\\"\"}", "[1,2]", "\"x,y\"", "7", "null"][..],
                "",
            ),
            (JsonForm::Array, " [ ] ", &[], ""),
            (JsonForm::Array, "[{\"a\":1},{\"b\":", &["{\"a\":1}", "{\"b\":"], "ends within"),
            (JsonForm::Array, "[{\"a\":1},", &["{\"a\":1}"], "does not end"),
            (JsonForm::Array, "[1]\n[2]", &["1"], "more follows"),
            (data(), "{\"da\\\"ta\":[1],\"z\":\"]}\"} {}", &["1"], "more follows"),
            (
                data(),
                "{\"n\": {\"da\\\"ta\": [1]}, \"t\": \"da\", \"da\\\"ta\" : [ {\"x\":[]}, 2 ], \"z\": [3]}",
                &["{\"x\":[]}", "2"],
                "",
            ),
            (data(), "{\"data\": [1]}", &[], "no list \"da\"ta\""),
            (
                JsonForm::Sequence,
                "{\n\"a\":\n1}\n\n{\"b\":2},{\"c\":3}\u{1e}4",
                &["{\n\"a\":\n1}", "{\"b\":2}", "{\"c\":3}", "4"],
                "",
            ),
            (JsonForm::Sequence, "{\"a\":1}}{\"b\":2}", &["{\"a\":1}", "}", "{\"b\":2}"], ""),
        ] {
            for step in 1..=text.len() {
                let (found, told) = items(&form, text, step);
                assert_eq!(found, expected, "{text} in steps of {step}");
                let told = told.unwrap_or_default();
                assert_eq!(told.is_empty(), problem.is_empty(), "{text}: {told}");
                assert!(told.contains(problem), "{text}: {told}");
            }
        }
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<i32>().prop_map(Into::into),
            "[\\[\\]{},:\"\\\\ a]{0,6}".prop_map(Into::into),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            let object = prop::collection::btree_map("[a\"\\\\:]{0,3}", inner.clone(), 0..3);
            prop_oneof![
                prop::collection::vec(inner, 0..3).prop_map(Into::into),
                object.prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        })
    }

    proptest! {
        /// The items are those that a parser of the whole finds.
        #[test]
        fn items_are_the_values_of_the_array(
            values in prop::collection::vec(value(), 0..6),
            step in 1..9_usize,
            is_pretty: bool,
        ) {
            let read = |(found, problem): (Vec<String>, Option<String>)| {
                assert_eq!(problem, None);
                found.iter().map(|it| serde_json::from_str(it).unwrap()).collect::<Vec<serde_json::Value>>()
            };
            let written = |value: &serde_json::Value| {
                if is_pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) }.unwrap()
            };
            let array = serde_json::Value::from(values.clone());
            prop_assert_eq!(&read(items(&JsonForm::Array, &written(&array), step)), &values);
            let object = serde_json::json!({"a": {"rows": [1]}, "rows": array, "z": "]"});
            let inside = JsonForm::Inside("rows".to_owned());
            prop_assert_eq!(&read(items(&inside, &written(&object), step)), &values);
            let sequence: Vec<_> = values.iter().map(written).collect();
            prop_assert_eq!(&read(items(&JsonForm::Sequence, &sequence.join("\n"), step)), &values);
        }
    }
}
