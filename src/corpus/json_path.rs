//! A field inside objects and lists, named by a path such as `doc.text`, `turns[0].text` or `messages[].content`.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The part of a path below the field of this name, from its full stop or bracket on; `None` if it does not lead there.
pub(super) fn below<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    path.strip_prefix(name).filter(|rest| rest.starts_with(['.', '[']))
}

/// Whether a path begins with the field of this name.
pub(super) fn starts_at(path: &str, name: &str) -> bool {
    path == name || below(path, name).is_some()
}

/// Whether a name may be a path.
pub(super) fn is_path(name: &str) -> bool {
    name.contains(['.', '['])
}

/// The first value at `path` in an object.
pub(super) fn at_path<'a>(object: &'a str, path: &str) -> Option<&'a str> {
    let mut found = Vec::new();
    all_at_path(object, path, &mut found);
    found.first().copied()
}

/// The values at `path` in an object, where a name that has the full stops or brackets itself takes precedence; of a
/// repeated field the last counts. `[]` stands for all items of a list, `[2]` for its third.
pub(super) fn all_at_path<'a>(object: &'a str, path: &str, found: &mut Vec<&'a str>) {
    let Ok(Values(fields)) = serde_json::from_str(object) else { return };
    let from_last = || fields.iter().rev();
    let inside = |(name, value): &(Cow<'_, str>, &'a RawValue)| Some((*value, below(path, name)?));
    if let Some((_, value)) = from_last().find(|(name, _)| name == path) {
        found.push(value.get());
    } else if let Some((value, rest)) = from_last().find_map(inside) {
        go_on(value.get(), rest, found);
    }
}

/// Follows the rest of a path, which is empty or begins with a full stop or a bracket.
fn go_on<'a>(value: &'a str, path: &str, found: &mut Vec<&'a str>) {
    if path.is_empty() {
        return found.push(value);
    }
    if let Some(name) = path.strip_prefix('.') {
        return all_at_path(value, name, found);
    }
    let Some((number, rest)) = path.strip_prefix('[').and_then(|path| path.split_once(']')) else {
        return;
    };
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(value) else { return };
    match number.parse::<usize>() {
        Ok(number) => items.get(number).into_iter().for_each(|it| go_on(it.get(), rest, found)),
        Err(_) if number.is_empty() => items.iter().for_each(|it| go_on(it.get(), rest, found)),
        Err(_) => {}
    }
}

/// The fields of a JSON object with their unparsed values.
pub(super) struct Values<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

/// A name, which is borrowed where it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Values<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ValuesVisitor)
    }
}

struct ValuesVisitor;

impl<'de> Visitor<'de> for ValuesVisitor {
    type Value = Values<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values<'de>, A::Error> {
        let mut found = Vec::new();
        while let Some((Name(name), value)) = map.next_entry()? {
            found.push((name, value));
        }
        Ok(Values(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_into_objects_unless_a_name_is_the_path() {
        let object = r#"{"doc":{"a.b":1,"a":{"b":2},"x":{"y":{"z":"deep"}}},"doc.x.y.z":3,"n":7}"#;
        assert_eq!(at_path(object, "doc.a.b"), Some("1"));
        assert_eq!(at_path(object, "doc.x.y.z"), Some("3"));
        assert_eq!(at_path(object, "doc.x.y"), Some(r#"{"z":"deep"}"#));
        assert_eq!(
            at_path(r#"{"d\u006fc":{"text":"é"},"doc":{"text":null}}"#, "doc.text"),
            Some("null")
        );
        for absent in ["doc.b", "n.a", "doc.a.b.c", "do.c", "", ".", "doc[]", "n[0]", "doc."] {
            assert_eq!(at_path(object, absent), None, "{absent}");
        }
    }

    #[test]
    fn a_path_leads_into_lists() {
        let object = r#"{"m":[{"c":"a"},{"c":"b","n":[[1,2],[3]]},{"x":0},4],"m[].x":"own"}"#;
        let all = |path: &str| {
            let mut found = Vec::new();
            all_at_path(object, path, &mut found);
            found.join(" ")
        };
        for (path, expected) in [
            ("m[].c", r#""a" "b""#),
            ("m[1].c", r#""b""#),
            ("m[].n[][0]", "1 3"),
            ("m[1].n[0]", "[1,2]"),
            ("m[9].c", ""),
            ("m[x].c", ""),
            ("m[", ""),
            ("m[0]c", ""),
            ("m[].x", r#""own""#),
        ] {
            assert_eq!(all(path), expected, "{path}");
        }
    }
}
