//! The manual: a page a topic, printed by `simscope help TOPIC` and shown here.
//!
//! The first line of a page is its heading, `# topic: summary`. A page is at most 300 lines long and,
//! tables and code aside, 100 columns wide, so that it reads well in a terminal. Each console example in it
//! is run by `tests/cli/manual.rs`.

/// A page of the manual.
#[derive(Clone, Copy, Debug)]
pub struct ManualPage {
    /// The name by which it is asked for.
    pub topic: &'static str,
    /// Its text, in Markdown.
    pub text: &'static str,
}

impl ManualPage {
    /// The subject of the page, in one line: the part of its heading after the topic.
    pub fn summary(&self) -> &'static str {
        let heading = self.text.lines().next().unwrap_or_default();
        heading.split_once(": ").map_or(heading, |(_, summary)| summary)
    }
}

macro_rules! pages {
    ($($topic:ident)+) => {
        /// All pages, in the order in which they are listed.
        pub const PAGES: &[ManualPage] = &[$(ManualPage {
            topic: stringify!($topic),
            text: include_str!(concat!("../assets/manual/", stringify!($topic), ".md")),
        }),+];

        $(
            #[cfg(doc)]
            #[doc = include_str!(concat!("../assets/manual/", stringify!($topic), ".md"))]
            pub mod $topic {}
        )+
    };
}

pages! {
    start screens configuration commands filter dedup recipe thresholds layouts evaluation labels teaching formats index cluster library benchmarks architecture
    contributing changelog
}
