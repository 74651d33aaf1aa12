//! The Learn screen: how SimHash works, hands on.

/// What the Learn screen remembers.
#[derive(Clone, Debug, Default)]
pub struct LearnState {}
