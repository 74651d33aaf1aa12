//! The tree of an HTML page, within limits of time and memory.
//!
//! A tag costs time for each element that is open, and the next paragraph opens all unclosed `<b>` and the like again:
//! a small page could take minutes and gigabytes. So the page is given to the parser tag by tag.

use std::cell::Cell;

use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::TendrilSink as _;
use html5ever::tree_builder::Tracer;
use scraper::{Html, HtmlTreeSink, Node};

use crate::progress::Progress;

/// Elements that may be open at a time, with those that the next paragraph opens again. Browsers nest 512.
const MOST_OPEN: usize = 1024;
/// Nodes and attributes that any page may have; a page of n bytes that closes its elements has n / 2 at most.
const MOST_NODES: usize = 200_000;
/// The most bytes of a tag that are parsed at a time.
const PIECE: usize = 4096;

/// The tree of a page; `None` if the job is cancelled.
///
/// # Errors
/// The problem of a page that would take too much time and memory.
pub(super) fn parsed(page: &str, progress: &Progress) -> Result<Option<Html>, &'static str> {
    let sink = HtmlTreeSink::new(Html::new_document());
    let mut parser = parse_document(sink, ParseOpts::default());
    let (mut rest, mut n_seen, mut n_nodes) = (page, 0, 0);
    while !rest.is_empty() {
        if progress.check().is_err() {
            return Ok(None);
        }
        let end = rest.floor_char_boundary(PIECE);
        let end = memchr::memchr(b'>', &rest.as_bytes()[..end]).map_or(end, |at| at + 1);
        parser.process(rest[..end].into());
        rest = &rest[end..];
        let builder = &parser.tokenizer.sink;
        let open = Count(Cell::new(0));
        builder.trace_handles(&open);
        let html = builder.sink.0.borrow();
        let values = html.tree.values();
        let n_new = values.len() - n_seen;
        n_seen += n_new;
        n_nodes += values.rev().take(n_new).map(size).sum::<usize>();
        if open.0.get() > MOST_OPEN {
            return Err("a page with too many elements open at a time");
        }
        if n_nodes > MOST_NODES + page.len() / 2 {
            return Err("a page that opens its unclosed elements again too often");
        }
    }
    Ok(Some(parser.finish()))
}

/// A node and its attributes.
fn size(node: &Node) -> usize {
    1 + node.as_element().map_or(0, |element| element.attrs().count())
}

/// The number of nodes that the parser holds.
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = <HtmlTreeSink as html5ever::tree_builder::TreeSink>::Handle;

    fn trace_handle(&self, _: &Self::Handle) {
        self.0.set(self.0.get() + 1);
    }
}
