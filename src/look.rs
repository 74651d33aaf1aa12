//! The abilities of a terminal: its colours, its ground, its characters.
//!
//! The command line finds them out from options and environment; the screen is drawn to fit them.

use crate::choice::choice;

/// The number of colours that a terminal shows, from few to many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colour: bold and dim text only.
    None,
    /// The sixteen named colours, whose shades the terminal chooses.
    Sixteen,
    /// The 256 colours of xterm.
    Indexed,
    /// 24 bits of red, green and blue.
    True,
}

/// The ground that text stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// The colours and characters that a screen is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The number of colours.
    pub depth: Depth,
    /// The ground that the colours are chosen for.
    pub ground: Ground,
    /// Whether every glyph is ASCII.
    pub ascii: bool,
    /// Whether the contrast is high: for projectors and weak eyes.
    pub is_strong: bool,
    /// Whether nobody has named the ground, so that the terminal may be asked.
    pub asks_ground: bool,
}

impl Look {
    /// Unicode on a dark ground without colour.
    pub const PLAIN: Self = Self {
        depth: Depth::None,
        ground: Ground::Dark,
        ascii: false,
        is_strong: false,
        asks_ground: false,
    };
}

choice! {
    /// A theme as the user names it.
    pub enum ThemeChoice, "theme" {
        /// The ground that the terminal names in `COLORFGBG` or when it is asked, else dark.
        #[default]
        Auto = "auto",
        /// For a dark ground.
        Dark = "dark",
        /// For a light ground.
        Light = "light",
        /// For a black ground, with high contrast and no dim text: for projectors and weak eyes.
        Contrast = "contrast",
        /// No colour.
        Mono = "mono",
    }
}

/// The light of a colour as WCAG 2.1 defines it: 0 for black, 1 for white.
pub fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// The light that a part of a colour stands for: 0 to 1.
pub fn linear(part: u8) -> f64 {
    let part = f64::from(part) / 255.0;
    if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

choice! {
    /// The form of a screen that is printed.
    pub enum PrintFormat, "format" {
        /// Text alone.
        #[default]
        Text = "text",
        /// A picture in colour.
        Svg = "svg",
        /// A picture that moves: a frame for each key.
        Film = "film",
    }
}

impl Look {
    /// The same with all colours, for a picture: no terminal limits it. A theme without colour stays so.
    #[must_use]
    pub fn of_picture(self, theme: ThemeChoice) -> Self {
        let depth = if theme == ThemeChoice::Mono { Depth::None } else { Depth::True };
        Self { depth, ..self }
    }

    /// The look that a theme has on a terminal with these environment variables; `variable` returns the value
    /// of one that is set and not empty.
    ///
    /// `NO_COLOR`, `CLICOLOR=0`, `TERM=dumb` and terminals without colour get none; a theme that is named still sets the
    /// ground. `COLORTERM` tells 24 bits, `TERM` 256 colours; any other terminal gets sixteen.
    pub fn of(theme: ThemeChoice, ascii: bool, variable: impl Fn(&str) -> Option<String>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let has_none = ["dumb", "vt52", "vt100", "vt102", "vt220"].contains(&&*term)
            || term.ends_with("-m")
            || term.ends_with("-mono");
        let is_off = variable("CLICOLOR").is_some_and(|it| it == "0");
        let many = variable("COLORTERM").is_some_and(|it| it == "truecolor" || it == "24bit");
        let is_known = ["256color", "direct", "kitty", "alacritty", "ghostty", "foot", "wezterm"];
        let depth = match theme {
            ThemeChoice::Mono => Depth::None,
            _ if variable("NO_COLOR").is_some() || is_off || has_none => Depth::None,
            _ if many || term.ends_with("-direct") => Depth::True,
            _ if is_known.iter().any(|it| term.contains(it)) => Depth::Indexed,
            _ => Depth::Sixteen,
        };
        let ground = match theme {
            ThemeChoice::Light => Ground::Light,
            ThemeChoice::Dark | ThemeChoice::Contrast | ThemeChoice::Mono => Ground::Dark,
            ThemeChoice::Auto => ground(variable("COLORFGBG").as_deref()),
        };
        // The console of Linux does not answer, and without colour the ground is nothing to us.
        let asks_ground = theme == ThemeChoice::Auto
            && depth > Depth::None
            && variable("COLORFGBG").is_none()
            && !["", "linux"].contains(&&*term);
        Self { depth, ground, ascii, is_strong: theme == ThemeChoice::Contrast, asks_ground }
    }
}

/// The ground by `COLORFGBG`, whose last part is the number of one of sixteen colours.
fn ground(colours: Option<&str>) -> Ground {
    let last = colours.and_then(|it| it.rsplit(';').next()).and_then(|it| it.parse::<u8>().ok());
    match last {
        // White and the bright colours; 8 is dark grey.
        Some(7 | 9..=15) => Ground::Light,
        _ => Ground::Dark,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(theme: ThemeChoice, variables: &[(&str, &str)]) -> (Depth, Ground) {
        let variable = |name: &str| {
            let found = variables.iter().find(|(it, _)| *it == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let look = Look::of(theme, false, variable);
        (look.depth, look.ground)
    }

    #[test]
    fn the_environment_tells_how_many_colours_there_are() {
        let depth = |variables: &[(&str, &str)]| look(ThemeChoice::Auto, variables).0;
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
        assert_eq!(depth(&[("TERM", "tmux-256color"), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(depth(&[("TERM", "xterm-direct")]), Depth::True);
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
        assert_eq!(depth(&[("TERM", "xterm")]), Depth::Sixteen);
        for term in ["dumb", "vt100", "xterm-mono", "linux-m"] {
            assert_eq!(depth(&[("TERM", term)]), Depth::None, "{term}");
        }
        for refused in [("NO_COLOR", "1"), ("CLICOLOR", "0")] {
            let all = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), refused];
            assert_eq!(depth(&all), Depth::None);
        }
        assert_eq!(depth(&[("TERM", "xterm"), ("CLICOLOR", "1")]), Depth::Sixteen);
    }

    #[test]
    fn a_terminal_is_asked_only_where_that_helps() {
        let asks = |theme, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(it, _)| *it == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Look::of(theme, false, variable).asks_ground
        };
        let xterm = ("TERM", "xterm-256color");
        assert!(asks(ThemeChoice::Auto, &[xterm]));
        for theme in
            [ThemeChoice::Dark, ThemeChoice::Light, ThemeChoice::Contrast, ThemeChoice::Mono]
        {
            assert!(!asks(theme, &[xterm]), "{theme}");
        }
        for other in [("NO_COLOR", "1"), ("COLORFGBG", "15;0")] {
            assert!(!asks(ThemeChoice::Auto, &[xterm, other]), "{other:?}");
        }
        for term in ["dumb", "linux", "vt100", ""] {
            assert!(!asks(ThemeChoice::Auto, &[("TERM", term)]), "{term:?}");
        }
    }

    #[test]
    fn the_ground_is_named_or_told_by_the_terminal() {
        let ground = |theme, colours| look(theme, &[("TERM", "xterm"), ("COLORFGBG", colours)]).1;
        assert_eq!(ground(ThemeChoice::Auto, "15;0"), Ground::Dark);
        assert_eq!(ground(ThemeChoice::Auto, "0;default;15"), Ground::Light);
        assert_eq!(ground(ThemeChoice::Auto, "0;8"), Ground::Dark);
        assert_eq!(ground(ThemeChoice::Auto, "strange"), Ground::Dark);
        assert_eq!(ground(ThemeChoice::Light, "15;0"), Ground::Light);
        assert_eq!(ground(ThemeChoice::Dark, "0;15"), Ground::Dark);
        assert_eq!(look(ThemeChoice::Mono, &[("TERM", "xterm")]).0, Depth::None);
    }
}
