//! Rows on a terminal: text of documents is shown, never executed.
//!
//! Files and pipes get ids unchanged. A terminal would execute the escape sequences in them: set its title,
//! write to the clipboard, draw a row backwards. So before rows go to a terminal, every control character and
//! bidirectional character is escaped: in JSON as `\u009b`, so that it stays JSON, otherwise as on the screens
//! ([`visible`]).

use std::io::{self, Write};

use super::Format;
use crate::text::visible::{is_plain, visible};

/// Makes whole lines safe and passes them on.
pub(super) struct HarmlessWriter<W: Write> {
    inner: W,
    /// The format of the rows: only in JSON lines a character is spelled as in a JSON string.
    format: Format,
    /// The line that is not yet complete.
    held: Vec<u8>,
}

impl<W: Write> HarmlessWriter<W> {
    pub(super) fn new(inner: W, format: Format) -> Self {
        Self { inner, format, held: Vec::new() }
    }

    /// Passes on the first `n_bytes` of the bytes that are held back.
    fn pass_on(&mut self, n_bytes: usize) -> io::Result<()> {
        let rest = self.held.split_off(n_bytes);
        let bytes = std::mem::replace(&mut self.held, rest);
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.split('\n');
        let mut shown = spelled(lines.next().unwrap_or_default(), self.format);
        for line in lines {
            shown.push('\n');
            shown += &spelled(line, self.format);
        }
        self.inner.write_all(shown.as_bytes())
    }
}

/// A line made safe; tabs are kept, because they separate the columns of TSV.
fn spelled(line: &str, format: Format) -> String {
    match format {
        Format::Jsonl => {
            let mut shown = String::with_capacity(line.len());
            for c in line.chars() {
                if c == '\t' || is_plain(c) {
                    shown.push(c);
                } else {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        shown += &format!("\\u{unit:04x}");
                    }
                }
            }
            shown
        }
        _ => line.split('\t').map(visible).collect::<Vec<_>>().join("\t"),
    }
}

impl<W: Write> Write for HarmlessWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.held.len();
        self.held.extend_from_slice(bytes);
        if let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n') {
            self.pass_on(before + end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on(self.held.len())?;
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]], format: Format) -> String {
        let mut writer = HarmlessWriter::new(Vec::new(), format);
        for piece in pieces {
            assert_eq!(writer.write(piece).unwrap(), piece.len());
        }
        writer.flush().unwrap();
        String::from_utf8(writer.inner).unwrap()
    }

    #[test]
    fn only_characters_that_a_terminal_executes_are_escaped() {
        let csv = "id,d\n\"a\u{1b}]0;x\u{7}\",3\nb\u{202e}c\u{9b}m\td,ä漢\n";
        let expected = "id,d\n\"a^[]0;x^G\",3\nb<U+202E>c<U+009B>m\td,ä漢\n";
        assert_eq!(shown(&[csv.as_bytes()], Format::Csv), expected);
        // The result does not depend on how the bytes are cut.
        let bytes: Vec<&[u8]> = csv.as_bytes().chunks(1).collect();
        assert_eq!(shown(&bytes, Format::Csv), expected);
    }

    #[test]
    fn json_stays_json_with_equal_values() {
        let id = "a\u{7f}\u{9b}\u{202e}\u{e0001}ä";
        let row = serde_json::to_string(id).unwrap() + "\n";
        let shown = shown(&[row.as_bytes()], Format::Jsonl);
        assert!(shown.trim_end().chars().all(is_plain), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), id);
    }
}
