//! Every screen, driven by keys and messages without a terminal.

mod driver;
/// What keys do.
mod journeys;
/// Any size, any keys, any text.
mod properties;
/// What is drawn.
mod snapshots;
