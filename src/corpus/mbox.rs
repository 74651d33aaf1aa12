//! Where the messages of an mbox begin, and by which first lines mail is told.

use memchr::memmem;

use super::blocks::RecordCut;

/// The beginning of the line before each message of an mbox.
pub(super) const FROM: &[u8] = b"From ";

/// Whether a line stands before a message: it begins with `From` and has a time.
fn is_from_line(line: &[u8]) -> bool {
    let is_time = |part: &[u8]| matches!(part, [a, b, b':', c, d] if [a, b, c, d].iter().all(|it| it.is_ascii_digit()));
    line.starts_with(FROM) && line.windows(5).any(is_time)
}

/// Finds where the messages of an mbox begin: behind a blank line, so that none is found at the first byte.
#[derive(Default)]
pub(super) struct Mbox {
    /// The last of the bytes that are passed by.
    skipped: Vec<u8>,
}

/// Bytes of a blank line and a line before a message, at most.
const LONGEST_LINE: usize = 1 << 10;

impl Mbox {
    /// The beginnings of the messages in bytes but that at the first byte; those of which the first line is not whole are
    /// left out.
    fn beginnings(bytes: &[u8]) -> impl Iterator<Item = usize> {
        let found = memmem::find_iter(bytes, b"\nFrom ").map(|at| at + 1);
        found.filter(|&at| {
            let line = &bytes[at..bytes.len().min(at + LONGEST_LINE)];
            let line = line.split_inclusive(|it| *it == b'\n').next().unwrap_or_default();
            let before = &bytes[..at];
            let is_behind_a_blank_line = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
            line.ends_with(b"\n") && is_behind_a_blank_line && is_from_line(line)
        })
    }
}

impl RecordCut for Mbox {
    fn end(&mut self, bytes: &[u8], from: usize) -> usize {
        let from = from.saturating_sub(LONGEST_LINE);
        Self::beginnings(&bytes[from..]).last().map_or(0, |at| from + at)
    }

    fn end_bytes(&self) -> usize {
        LONGEST_LINE
    }

    fn begin_skip(&mut self, bytes: &[u8]) {
        let kept = bytes.len().saturating_sub(LONGEST_LINE);
        self.skipped.clear();
        self.skipped.extend_from_slice(&bytes[kept..]);
    }

    fn skip(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.skipped.extend_from_slice(bytes);
        // One of which the line was whole before was found then.
        let found = Self::beginnings(&self.skipped).next();
        if let Some(at) = found {
            return Some(std::mem::take(&mut self.skipped).split_off(at));
        }
        let kept = self.skipped.len().saturating_sub(LONGEST_LINE);
        self.skipped.drain(..kept);
        None
    }

    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let ends = Self::beginnings(bytes).chain([bytes.len()]);
        let starts = [0].into_iter().chain(Self::beginnings(bytes));
        starts.zip(ends).filter(|(start, end)| start < end).collect()
    }
}

/// All the bytes are one message.
pub(super) struct OneMessage;

impl RecordCut for OneMessage {
    fn end(&mut self, _bytes: &[u8], _from: usize) -> usize {
        0
    }

    fn skip(&mut self, _bytes: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn records(&mut self, bytes: &[u8]) -> Vec<(usize, usize)> {
        vec![(0, bytes.len())]
    }
}

/// The line ends that a message lacks so that another one can follow: the last one of a file may have no blank line.
pub(super) fn missing_end(record: &[u8]) -> &'static [u8] {
    match record {
        [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => b"",
        [.., b'\n'] => b"\n",
        _ => b"\n\n",
    }
}

/// Whether a file begins with a message of an mbox.
pub(super) fn is_mbox(head: &[u8]) -> bool {
    let mut lines = head.split(|it| *it == b'\n');
    lines.next().is_some_and(is_from_line)
        && lines.next().is_some_and(|line| header_name(line).is_some())
}

/// Whether a file begins with the header of a message: with a sender, and with an id or what a server writes first.
pub(super) fn is_message(head: &[u8]) -> bool {
    const FIRST: [&str; 3] = ["return-path", "delivered-to", "received"];
    let header = head.split(|it| *it == b'\n').map(<[u8]>::trim_ascii_end);
    let header: Vec<_> = header.take_while(|line| !line.is_empty()).collect();
    let names: Vec<String> = header.iter().filter_map(|line| header_name(line)).collect();
    let is_header = |line: &&[u8]| {
        line.starts_with(b" ") || line.starts_with(b"\t") || header_name(line).is_some()
    };
    let whole = header.len().saturating_sub(1);
    let has = |name: &str| names.iter().any(|it| it == name);
    (has("message-id") || names.first().is_some_and(|name| FIRST.contains(&&**name)))
        && has("from")
        && header[..whole].iter().all(is_header)
}

/// The name of a header field, in lower case.
fn header_name(line: &[u8]) -> Option<String> {
    let name = &line[..line.iter().position(|it| *it == b':')?];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' || *byte == b'_';
    let name = (!name.is_empty() && name.iter().all(is_name)).then_some(name)?;
    Some(String::from_utf8_lossy(name).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MBOX: &str = "From a@b Thu Jan  1 00:00:00 2026\nSubject: one\n\nFrom here on\n\nFrom here, too\n>From a\n\nFrom c@d Thu Jan  1 09:30:00 2026\nSubject: two\n\n> so\nbody\n";

    #[test]
    fn messages_of_an_mbox_begin_at_a_line_with_a_time() {
        let bytes = MBOX.as_bytes();
        let messages = Mbox::default().records(bytes);
        assert_eq!(messages.len(), 2);
        assert!(bytes[messages[1].0..].starts_with(b"From c@d"));
        assert_eq!(messages[0].1, messages[1].0);
        assert_eq!(Mbox::default().end(bytes, 0), messages[1].0);
        let windows = MBOX.replace('\n', "\r\n");
        assert_eq!(Mbox::default().records(windows.as_bytes()).len(), 2);
        // A message that is passed by in pieces ends where the next one begins, wherever a piece ends.
        for at in 1..bytes.len() - 1 {
            let mut mbox = Mbox::default();
            mbox.begin_skip(&bytes[..at.min(messages[1].0 + 10)]);
            let rest = mbox.skip(&bytes[at.min(messages[1].0 + 10)..]).unwrap();
            assert!(rest.ends_with(&bytes[messages[1].0..]), "{at}");
            assert_eq!(rest.len(), bytes.len() - messages[1].0, "{at}");
        }
    }

    #[test]
    fn mail_is_told_by_its_first_lines() {
        assert!(is_mbox(MBOX.as_bytes()));
        assert!(!is_mbox(b"From the sea at 10:30\nthe tide came in\n"));
        assert!(is_message(b"Return-Path: <a@b>\nReceived: from c\n\tby d\nFrom: a@b\n\nbody"));
        assert!(is_message(b"Message-ID: <1@a>\r\nFrom: a@b\r\nSub"));
        assert!(is_message(b"Subject: a\nFrom: a@b\nMessage-ID: <1@a>\n\n"));
        for other in [
            "Received: a letter\nof the tide\nFrom: me\n",
            "Note: a\nFrom: b\n",
            "Message-ID: 1\n\nFrom: b",
        ] {
            assert!(!is_message(other.as_bytes()), "{other}");
        }
    }
}
