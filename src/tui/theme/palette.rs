//! The colours of each role, for a dark and a light background, with many colours and with sixteen.
//!
//! The hues of blocks are those of Okabe and Ito, which people with any colour vision can distinguish ("Color Universal
//! Design", 2008), made lighter for dark backgrounds and darker for light ones. Text has a contrast of at least 4.5 to
//! its background, marks of 3 (WCAG 2.1); A to D and a difference can be distinguished without red or green. The tests
//! compute both. The shades of sixteen colours are the terminal's own.

use ratatui::style::Color;

use crate::look::{Depth, Ground, Look, luminance};

/// The colours of the roles; a role with two colours has text and background.
#[derive(Clone, Copy)]
pub(super) struct Palette {
    /// Blocks A to D, then E to H in another tone.
    pub(super) blocks: [Color; 8],
    /// The weak bits of A to D.
    pub(super) pale: [Color; 4],
    pub(super) muted: Color,
    pub(super) quiet: Color,
    /// The background of a selected row.
    pub(super) selected: Color,
    pub(super) differs: [Color; 2],
    /// A word that only one of two texts has, by the side of the text.
    pub(super) only: [[Color; 2]; 2],
    pub(super) good: Color,
    pub(super) warn: Color,
    pub(super) accent: Color,
    pub(super) frame: Color,
}

impl Palette {
    /// The palette of a look; `None` without colour.
    pub(super) fn of(look: Look) -> Option<Self> {
        Some(match (look.depth, look.ground) {
            (Depth::None, _) => return None,
            (Depth::Sixteen, Ground::Dark) => SIXTEEN_DARK,
            (Depth::Sixteen, Ground::Light) => SIXTEEN_LIGHT,
            _ if look.is_strong => STRONG,
            (_, Ground::Dark) => DARK,
            (_, Ground::Light) => LIGHT,
        })
    }

    /// Black or white, of which more can be read on the accent.
    pub(super) fn on_accent(&self) -> Color {
        let Color::Rgb(red, green, blue) = self.accent else { return Color::Reset };
        // Both have the same contrast to a colour of this light.
        let is_light = luminance([red, green, blue]) > 0.179;
        if is_light { rgb(0) } else { rgb(0xff_ff_ff) }
    }
}

const fn rgb(hex: u32) -> Color {
    Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const fn rgbs<const N: usize>(hex: [u32; N]) -> [Color; N] {
    let (mut colours, mut at) = ([Color::Reset; N], 0);
    while at < N {
        colours[at] = rgb(hex[at]);
        at += 1;
    }
    colours
}

const DARK: Palette = Palette {
    blocks: rgbs([
        0x56_b4_e9, 0xe6_9f_00, 0x1f_c0_92, 0xd8_8c_ba, 0xa5_d8_f7, 0xf7_cb_6b, 0x8a_e3_c8,
        0xf0_c2_dc,
    ]),
    pale: [rgb(0x4a_8f_b8), rgb(0xb0_7c_10), rgb(0x22_9c_79), rgb(0xa9_70_93)],
    muted: rgb(0xa8_a8_a8),
    quiet: rgb(0x80_80_80),
    selected: rgb(0x2a_30_40),
    differs: [rgb(0xf0_e4_42), Color::Reset],
    only: [[rgb(0xcf_e8_fb), rgb(0x1c_3c_5a)], [rgb(0xfc_f0_b4), rgb(0x4d_40_08)]],
    good: rgb(0x86_d9_8c),
    warn: rgb(0xff_8f_6b),
    accent: rgb(0xa3_b1_ff),
    frame: rgb(0x4e_52_62),
};

/// For a black background: all text has a contrast of at least 7, marks of 4.5.
const STRONG: Palette = Palette {
    blocks: rgbs([
        0x6c_c6_ff, 0xff_b3_1a, 0x2e_e6_b0, 0xff_9f_d6, 0xb8_e4_ff, 0xff_d9_8a, 0xa6_ff_e4,
        0xff_d0_ec,
    ]),
    pale: [rgb(0x4a_9c_d0), rgb(0xc4_88_0c), rgb(0x22_b0_88), rgb(0xc8_78_a6)],
    muted: rgb(0xe4_e4_e4),
    quiet: rgb(0x94_94_94),
    selected: rgb(0x00_00_5f),
    differs: [rgb(0xff_ff_33), Color::Reset],
    only: [[rgb(0xff_ff_ff), rgb(0x00_4a_8a)], [rgb(0xff_ff_af), rgb(0x5f_00_00)]],
    good: rgb(0x8c_ff_96),
    warn: rgb(0xff_a0_80),
    accent: rgb(0xb9_c4_ff),
    frame: rgb(0x94_94_94),
};

const LIGHT: Palette = Palette {
    blocks: rgbs([
        0x0a_62_9c, 0x8c_52_00, 0x00_6b_4f, 0x99_33_70, 0x07_42_69, 0x5e_38_00, 0x00_46_34,
        0x66_22_4a,
    ]),
    pale: [rgb(0x43_84_ad), rgb(0xa5_70_28), rgb(0x31_85_6c), rgb(0xb0_66_91)],
    muted: rgb(0x58_58_58),
    quiet: rgb(0x80_80_80),
    selected: rgb(0xe2_ea_f5),
    differs: [rgb(0x4d_3d_00), rgb(0xff_e5_66)],
    only: [[rgb(0x08_35_56), rgb(0xd0_e6_f7)], [rgb(0x4d_3d_00), rgb(0xff_ec_9e)]],
    good: rgb(0x1b_6b_2a),
    warn: rgb(0xb0_26_1c),
    accent: rgb(0x3b_3f_b5),
    frame: rgb(0xb4_b8_c4),
};

const SIXTEEN_DARK: Palette = Palette {
    blocks: [
        Color::LightBlue,
        Color::Yellow,
        Color::Green,
        Color::Magenta,
        Color::LightCyan,
        Color::LightRed,
        Color::LightGreen,
        Color::LightMagenta,
    ],
    pale: [Color::LightBlue, Color::Yellow, Color::Green, Color::Magenta],
    muted: Color::Reset,
    quiet: Color::Reset,
    selected: Color::Reset,
    differs: [Color::LightYellow, Color::Reset],
    only: [[Color::LightCyan, Color::Reset], [Color::LightYellow, Color::Reset]],
    good: Color::LightGreen,
    warn: Color::LightMagenta,
    accent: Color::LightCyan,
    frame: Color::Reset,
};

/// Yellow, cyan and green are hard to see on a light background.
const SIXTEEN_LIGHT: Palette = Palette {
    blocks: [
        Color::Blue,
        Color::Reset,
        Color::DarkGray,
        Color::Magenta,
        Color::Blue,
        Color::Reset,
        Color::DarkGray,
        Color::Magenta,
    ],
    pale: [Color::Blue, Color::Reset, Color::DarkGray, Color::Magenta],
    differs: [Color::Red, Color::Reset],
    only: [[Color::Blue, Color::Reset], [Color::Red, Color::Reset]],
    good: Color::Blue,
    warn: Color::Magenta,
    accent: Color::Blue,
    ..SIXTEEN_DARK
};

/// The steps of red, green and blue in the cube of 216 of the 256 colours.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The number of a grey among the 256 colours, if it is one of them, since its sequence is half as long.
pub(super) fn short(color: Color) -> Color {
    match color {
        Color::Rgb(red, green, blue) if red == green && green == blue => match (red, red % 10) {
            (8..=238, 8) => Color::Indexed(232 + (red - 8) / 10),
            _ => color,
        },
        _ => color,
    }
}

/// The nearest of the 256 colours: in their cube or on their scale of greys; a named colour stays.
pub(super) fn nearest(color: Color) -> Color {
    let Color::Rgb(red, green, blue) = color else { return color };
    let off = |other: [u8; 3]| -> u32 {
        let pairs = [red, green, blue].into_iter().zip(other);
        pairs.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
    };
    let step = |part: u8| (0..6).min_by_key(|&at: &usize| STEPS[at].abs_diff(part)).unwrap_or(0);
    let [r, g, b] = [step(red), step(green), step(blue)];
    let cube = (off([STEPS[r], STEPS[g], STEPS[b]]), 16 + 36 * r + 6 * g + b);
    let greys = (0..24).map(|at| (off([8 + 10 * at as u8; 3]), 232 + at));
    let (_, index) = greys.chain([cube]).min().unwrap_or(cube);
    Color::Indexed(index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grounds of well-known terminals: black, a dark blue grey; white, a warm white.
    const DARK_GROUNDS: [Color; 2] = [rgb(0), rgb(0x28_2a_36)];
    const LIGHT_GROUNDS: [Color; 2] = [rgb(0xff_ff_ff), rgb(0xfd_f6_e3)];

    fn parts(color: Color) -> [u8; 3] {
        match color {
            Color::Rgb(red, green, blue) => [red, green, blue],
            Color::Indexed(at @ 16..=231) => {
                let at = usize::from(at) - 16;
                [STEPS[at / 36], STEPS[at / 6 % 6], STEPS[at % 6]]
            }
            Color::Indexed(at @ 232..) => [8 + 10 * (at - 232); 3],
            other => panic!("{other} has no shade of its own"),
        }
    }

    /// The contrast of two colours as WCAG 2.1 defines it: 1 to 21.
    fn contrast(one: Color, other: Color) -> f64 {
        let (one, other) = (luminance(parts(one)) + 0.05, luminance(parts(other)) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        assert!((contrast(rgb(0), rgb(0xff_ff_ff)) - 21.0).abs() < 1e-9);
        assert!((contrast(rgb(0x77_77_77), rgb(0xff_ff_ff)) - 4.478).abs() < 1e-3);
    }

    #[test]
    fn every_role_can_be_read() {
        for (palette, grounds) in [(&DARK, DARK_GROUNDS), (&LIGHT, LIGHT_GROUNDS)] {
            for shown in [|color: Color| color, nearest] {
                let texts = palette.blocks.into_iter().chain([
                    palette.muted,
                    palette.good,
                    palette.warn,
                    palette.accent,
                    palette.differs[0],
                ]);
                let surfaces = grounds.into_iter().chain([shown(palette.selected)]);
                for ground in surfaces {
                    for text in texts.clone() {
                        let found = contrast(shown(text), ground);
                        assert!(found >= 4.5, "{text} on {ground}: {found:.2}");
                    }
                    for mark in palette.pale.into_iter().chain([palette.quiet]) {
                        let found = contrast(shown(mark), ground);
                        assert!(found >= 3.0, "{mark} on {ground}: {found:.2}");
                    }
                }
                let chosen = [palette.on_accent(), palette.accent];
                let words = palette.only.into_iter().chain([palette.differs, chosen]);
                for [text, ground] in words {
                    if ground != Color::Reset {
                        let found = contrast(shown(text), shown(ground));
                        assert!(found >= 4.5, "{text} on {ground}: {found:.2}");
                    }
                }
            }
        }
    }

    #[test]
    fn high_contrast_is_high() {
        let black = rgb(0);
        for shown in [|color: Color| color, nearest] {
            let roles = [STRONG.muted, STRONG.good, STRONG.warn, STRONG.accent, STRONG.differs[0]];
            for text in STRONG.blocks.into_iter().chain(roles) {
                let found = contrast(shown(text), black);
                assert!(found >= 7.0, "{text}: {found:.2}");
                let selected = contrast(shown(text), shown(STRONG.selected));
                assert!(selected >= 4.5, "{text} selected: {selected:.2}");
            }
            for mark in STRONG.pale.into_iter().chain([STRONG.quiet]) {
                assert!(contrast(shown(mark), black) >= 4.5, "{mark}");
            }
            for [text, ground] in STRONG.only {
                assert!(contrast(shown(text), shown(ground)) >= 7.0, "{text} on {ground}");
            }
        }
    }

    /// A colour as people with a kind of colour blindness see it (Machado, Oliveira and Fernandes, "A
    /// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1), in CIELAB.
    fn seen(color: Color, kind: &[[f64; 3]; 3]) -> [f64; 3] {
        let light = parts(color).map(crate::look::linear);
        let [red, green, blue] = kind.map(|row| {
            let sum: f64 = row.iter().zip(light).map(|(weight, part)| weight * part).sum();
            sum.clamp(0.0, 1.0)
        });
        let root = |part: f64| {
            if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 }
        };
        let x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.950_47);
        let y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
        let z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.088_83);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn blocks_and_differences_stay_apart_without_red_or_without_green() {
        let kinds = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ];
        for (name, palette) in [("dark", DARK), ("light", LIGHT), ("contrast", STRONG)] {
            for kind in &kinds {
                let [a, b, c, d, ..] = palette.blocks;
                let colours = [a, b, c, d, palette.differs[0]].map(|color| seen(color, kind));
                for (at, one) in colours.iter().enumerate() {
                    for other in &colours[..at] {
                        let squares =
                            one.iter().zip(other).map(|(one, other)| (one - other).powi(2));
                        let apart = squares.sum::<f64>().sqrt();
                        // A just noticeable difference is 2.3.
                        assert!(apart >= 12.0, "{name}: {apart:.1}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_nearest_of_256_colours_is_in_the_cube_or_grey() {
        assert_eq!(nearest(rgb(0xff_00_00)), Color::Indexed(196));
        assert_eq!(nearest(rgb(0x80_80_80)), Color::Indexed(244));
        assert_eq!(nearest(Color::LightBlue), Color::LightBlue);
        for grey in [DARK.muted, DARK.quiet, LIGHT.muted, LIGHT.quiet] {
            assert_eq!((short(grey), parts(short(grey))), (nearest(grey), parts(grey)));
        }
    }
}
