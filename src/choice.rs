//! Enums whose values have one written name, used in recipes, options and messages; and the error for a text that is no
//! value.

/// The error for a text that is no value of its type: a message with what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValueError(pub(crate) String);

impl ValueError {
    /// The error for a word that is none of the names of a choice, such as a `hash`.
    pub(crate) fn unknown(what: &str, found: &str, names: &[&str]) -> Self {
        Self(format!("{what} {found:?} is unknown; choose one of {}", names.join(", ")))
    }
}

/// The value `by` places after `present` in `all`; after the last value comes the first. A `present` that is not
/// in `all` counts as the first value.
pub fn cycled<T: Copy + PartialEq>(all: &[T], present: T, by: isize) -> T {
    let here = all.iter().position(|value| *value == present).unwrap_or(0);
    all[(here as isize + by).rem_euclid(all.len() as isize) as usize]
}

/// An enum that [`choice!`] declares.
pub(crate) trait Choice:
    std::str::FromStr<Err = ValueError> + Clone + Send + Sync + 'static
{
    /// The written names, in the order they are offered.
    fn names() -> Vec<&'static str>;
}

/// Declares an enum with a written name for each value, a list of all values, `Display` and `FromStr`.
macro_rules! choice {
    (
        $(#[$meta:meta])* $vis:vis enum $name:ident, $what:literal {
            $($(#[$value_meta:meta])* $value:ident = $text:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        $vis enum $name { $($(#[$value_meta])* $value,)+ }

        impl $name {
            /// Every value, in the order they are offered.
            $vis const ALL: &'static [Self] = &[$(Self::$value,)+];

            /// The written name.
            $vis fn name(self) -> &'static str {
                match self { $(Self::$value => $text,)+ }
            }
        }

        impl $crate::choice::Choice for $name {
            fn names() -> Vec<&'static str> {
                Self::ALL.iter().map(|value| value.name()).collect()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::choice::ValueError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let names = <Self as $crate::choice::Choice>::names;
                match text {
                    $($text => Ok(Self::$value),)+
                    _ => Err($crate::choice::ValueError::unknown($what, text, &names())),
                }
            }
        }
    };
}
pub(crate) use choice;
