//! Every screen, driven by keys and messages without a terminal.

/// Two recipes side by side.
mod compare;
mod driver;
/// Fields as columns.
mod fields;
/// The rows around every screen, and clicks.
mod frame;
/// Groups, and what goes for each kept text.
mod groups;
/// Effects of keys.
mod journeys;
mod keys;
/// Layouts held against the truth.
mod lab;
/// Pairs judged by eye.
mod label;
mod learn;
/// Content that shows at once, and content that follows.
mod live;
/// Everything by name.
mod menu;
/// The smallest screens.
mod narrow;
/// How the numbers come about.
mod numbers;
/// Unreadable input.
mod problems;
/// Any size, any keys, any text.
mod properties;
/// The picture in the README.
mod readme;
mod review;
/// Columns by the room there is.
mod room;
/// Words in documents, and filters of them.
mod search;
/// Drawing.
mod snapshots;
/// Work that was stopped.
mod stop;
/// Recipes side by side.
mod sweep;
/// A first walk.
/// The way back.
mod trail;
/// Flags, disagreements.
mod triage;
/// One k, its evidence, and tables for it.
mod tune;
/// Equal texts, features and fingerprints.
mod twins;
/// Undo and redo; keys that do nothing.
mod undo;
/// Words that are whole.
mod whole;
/// The votes behind bits, and what makes a pair.
mod why;
