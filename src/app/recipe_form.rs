//! The recipe as a form: one row for each choice. Arrows or typing change a choice; all are applied together.

use crate::analysis::{LayoutChoice, Settings};
use crate::choice::{choice, cycled};
use crate::feature::extract::MAX_SHINGLE;
use crate::feature::{Shingling, Weighting};
use crate::simhash::fingerprint::MAX_WIDTH;
use crate::simhash::{HashFunction, Preset, Recipe, StopWordChoice, TieRule};
use crate::text::{Case, NormalForm};

choice! {
    /// A row of the form, from the top.
    pub enum Field, "row" {
        /// Words or characters.
        #[default]
        Tokens = "shingles of",
        /// Tokens in a shingle.
        Size = "tokens in one",
        /// Weights.
        Weights = "weights",
        /// Stop words.
        Stop = "stop words",
        /// Case.
        Case = "case",
        /// Normal form.
        Form = "normal form",
        /// Hash function.
        Hash = "hash",
        /// The seed of the hash function.
        Seed = "seed",
        /// Width.
        Bits = "bits",
        /// Tie rule.
        Tie = "a tie gives",
        /// The threshold.
        K = "near: d <=",
        /// Blocks of the tables.
        Blocks = "blocks",
        /// The preset: the program whose recipe it is.
        Preset = "recipe of",
    }
}

impl Field {
    /// Whether the field is a number that can be typed.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Size | Self::Seed | Self::Bits | Self::K | Self::Blocks)
    }
}

/// The form: the changed settings, and the cursor.
#[derive(Clone, Debug)]
pub struct RecipeForm {
    /// The changed settings.
    pub settings: Settings,
    /// The selected row.
    pub row: usize,
    /// The reason why the settings could not be applied.
    pub problem: Option<String>,
    /// Whether the next digit begins a new number.
    fresh: bool,
    /// The user's own stop words, kept while another choice is selected.
    own_stop_words: Option<StopWordChoice>,
}

impl RecipeForm {
    /// A form on the present settings.
    pub fn new(settings: &Settings) -> Self {
        let stop = &settings.recipe.stop;
        let own_stop_words = matches!(stop, StopWordChoice::File(_)).then(|| stop.clone());
        Self { settings: settings.clone(), row: 0, problem: None, fresh: true, own_stop_words }
    }

    /// The selected field.
    pub fn field(&self) -> Field {
        Field::ALL[self.row]
    }

    /// Moves between rows; after the last comes the first.
    pub fn step(&mut self, rows: isize) {
        self.row = (self.row as isize + rows).rem_euclid(Field::ALL.len() as isize) as usize;
        self.fresh = true;
    }

    /// The text that a field shows.
    pub fn value(&self, field: Field) -> String {
        let Settings { recipe, k, layout, .. } = &self.settings;
        match field {
            Field::Preset => Preset::of(recipe).map_or("your own", Preset::name).to_owned(),
            Field::Tokens => recipe.features.tokens_name().to_owned(),
            Field::Size => recipe.features.size().to_string(),
            Field::Weights => recipe.weights.to_string(),
            Field::Stop => match &recipe.stop {
                StopWordChoice::File(file) => file.path().to_owned(),
                other => other.to_string(),
            },
            Field::Case => recipe.case.to_string(),
            Field::Form => recipe.form.to_string(),
            Field::Hash => recipe.hash.to_string(),
            Field::Seed => recipe.seed.to_string(),
            Field::Bits => recipe.bits.to_string(),
            Field::Tie => recipe.tie.to_string(),
            Field::K => k.to_string(),
            Field::Blocks => match layout {
                LayoutChoice::Auto => "auto".to_owned(),
                LayoutChoice::Blocks(m) => m.to_string(),
                LayoutChoice::TwoLevel { outer, inner } => format!("{outer}/{inner}"),
                LayoutChoice::Bands { bands, bits } => format!("{bands}x{bits} bands"),
            },
        }
    }

    /// Changes the selected field to its next or previous value.
    pub fn change(&mut self, step: isize) {
        self.fresh = true;
        let field = self.field();
        let Recipe { features, weights, hash, seed, bits, tie, form, case, .. } =
            &mut self.settings.recipe;
        match field {
            Field::Preset => {
                let present = Preset::of(&self.settings.recipe).unwrap_or_default();
                self.settings.recipe = cycled(Preset::ALL, present, step).recipe();
            }
            Field::Tokens => {
                *features = match *features {
                    Shingling::Words(n) => Shingling::Chars(n),
                    Shingling::Chars(n) => Shingling::Words(n),
                };
            }
            Field::Size => {
                self.set_size(self.settings.recipe.features.size().saturating_add_signed(step))
            }
            Field::Weights => *weights = cycled(Weighting::ALL, *weights, step),
            Field::Stop => self.turn_stop_words(step),
            Field::Case => *case = cycled(Case::ALL, *case, step),
            Field::Form => *form = cycled(NormalForm::ALL, *form, step),
            Field::Hash => *hash = cycled(HashFunction::ALL, *hash, step),
            Field::Seed => *seed = seed.saturating_add_signed(step as i64),
            Field::Bits => {
                // Arrows change the width to multiples of 8; other widths are typed.
                let next = if step > 0 {
                    (*bits / 8 + 1) * 8
                } else {
                    bits.div_ceil(8).saturating_sub(1) * 8
                };
                *bits = next.clamp(1, MAX_WIDTH);
            }
            Field::Tie => *tie = cycled(TieRule::ALL, *tie, step),
            Field::K => {
                self.settings.k = self.settings.k.saturating_add_signed(step as i32).min(MAX_WIDTH)
            }
            Field::Blocks => {
                let least = self.settings.k + 1;
                self.settings.layout = match (self.settings.layout, step > 0) {
                    (LayoutChoice::Blocks(m), true) => LayoutChoice::Blocks((m + 1).min(MAX_WIDTH)),
                    (LayoutChoice::Blocks(m), false) if m > least => LayoutChoice::Blocks(m - 1),
                    (_, false) => LayoutChoice::Auto,
                    (_, true) => LayoutChoice::Blocks(least),
                };
            }
        }
    }

    /// A digit typed into the selected number: the first replaces it, more are appended.
    pub fn digit(&mut self, digit: u32) {
        let before = if self.fresh { 0 } else { self.value(self.field()).parse().unwrap_or(0u64) };
        self.fresh = false;
        // A digit that makes the number too large is ignored.
        if let Some(number) = before.checked_mul(10).and_then(|n| n.checked_add(u64::from(digit))) {
            self.set_number(number);
        }
    }

    /// Takes the last digit of the selected number away.
    pub fn erase(&mut self) {
        self.fresh = false;
        let before: u64 = self.value(self.field()).parse().unwrap_or(0);
        self.set_number(before / 10);
    }

    fn set_number(&mut self, number: u64) {
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match self.field() {
            Field::Size => self.set_size(small as usize),
            Field::Seed => self.settings.recipe.seed = number,
            // `check` decides whether a width is valid, so that 1 can be typed on the way to 128.
            Field::Bits => self.settings.recipe.bits = small.min(999),
            Field::K => self.settings.k = small.min(999),
            Field::Blocks => self.settings.layout = LayoutChoice::Blocks(small.min(999)),
            _ => {}
        }
    }

    fn set_size(&mut self, size: usize) {
        let size = size.clamp(1, MAX_SHINGLE);
        let features = &mut self.settings.recipe.features;
        *features = match *features {
            Shingling::Words(_) => Shingling::Words(size),
            Shingling::Chars(_) => Shingling::Chars(size),
        };
    }

    fn turn_stop_words(&mut self, step: isize) {
        let mut choices = vec![StopWordChoice::None, StopWordChoice::English];
        choices.extend(self.own_stop_words.clone());
        let here =
            choices.iter().position(|choice| *choice == self.settings.recipe.stop).unwrap_or(0);
        let next = (here as isize + step).rem_euclid(choices.len() as isize) as usize;
        self.settings.recipe.stop = choices.swap_remove(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_of_another_program_sets_all_of_it() {
        let mut form = on(Field::Preset);
        assert_eq!(form.value(Field::Preset), "simscope");
        form.change(-1);
        assert_eq!(form.settings.recipe, Preset::Lab.recipe());
        form.settings.recipe.bits = 32;
        assert_eq!(form.value(Field::Preset), "your own");
        form.change(1);
        assert_eq!(form.value(Field::Preset), "1e0ng");
    }

    fn on(field: Field) -> RecipeForm {
        let mut form = RecipeForm::new(&Settings { k: 3, ..Settings::default() });
        form.row = Field::ALL.iter().position(|f| *f == field).unwrap();
        form
    }

    #[test]
    fn arrows_turn_choices_round() {
        let mut form = on(Field::Weights);
        form.change(-1);
        assert_eq!(form.value(Field::Weights), "tf");
        form.change(2);
        assert_eq!(form.value(Field::Weights), "tf-idf");
        let mut form = on(Field::Stop);
        form.change(1);
        assert_eq!(form.settings.recipe.stop, StopWordChoice::English);
    }

    #[test]
    fn digits_make_a_number_and_check_judges_it() {
        let mut form = on(Field::Bits);
        form.digit(1);
        form.digit(2);
        form.digit(9);
        assert!(form.settings.check().unwrap_err().to_string().contains("1 to 128"));
        form.erase();
        assert_eq!(form.value(Field::Bits), "12");
        assert!(form.settings.check().is_ok());
    }

    #[test]
    fn blocks_start_where_k_can_be_guaranteed() {
        let mut form = on(Field::Blocks);
        form.change(1);
        form.change(1);
        assert_eq!(form.settings.layout, LayoutChoice::Blocks(5));
        form.change(-1);
        form.change(-1);
        assert_eq!(form.settings.layout, LayoutChoice::Auto);
    }
}
