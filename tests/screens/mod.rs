//! Every screen, driven by keys and messages without a terminal.

/// Bands over their bits and their number.
mod bands;
/// Two recipes side by side.
mod compare;
mod driver;
/// Groups and their trees.
mod fields;
mod groups;
/// What keys do.
mod journeys;
mod keys;
/// Layouts held against the truth.
mod lab;
/// Pairs judged by eye.
mod label;
mod learn;
/// What shows at once and what follows.
mod live;
/// Everything by name.
mod menu;
/// How the numbers come about.
mod numbers;
/// What could not be read.
mod problems;
/// Any size, any keys, any text.
mod properties;
/// The picture in the README.
mod readme;
mod review;
/// Words in documents, and filters of them.
mod search;
/// What is drawn.
mod snapshots;
/// Recipes side by side.
mod stop;
mod sweep;
/// The way back.
mod trail;
/// Flags, health, disagreements.
mod triage;
/// One k, its evidence, and tables for it.
mod tune;
/// Equal texts, features and fingerprints.
mod twins;
/// Undo and redo; keys that do nothing.
mod undo;
/// What a newcomer sees first.
mod welcome;
/// The votes behind bits, and what makes a pair.
mod why;
