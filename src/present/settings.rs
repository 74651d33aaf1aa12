//! The flags of settings: an error of the library names a setting, such as `` `bits` ``, and the program shows the flag
//! that sets it, `--bits`.

/// The settings that errors name. Each has a flag of the same name; the flag of k is short.
pub(crate) const SETTINGS: &[&str] = &[
    "bands",
    "bits",
    "blocks",
    "delimiter",
    "encoding",
    "fingerprint-field",
    "fp-type",
    "glob",
    "hashes-field",
    "id-field",
    "input-format",
    "k",
    "labels",
    "max-document",
    "max-expansion",
    "max-spool",
    "no-header",
    "norm",
    "pairs",
    "recipe",
    "reference",
    "seed",
    "stop-words",
    "table-field",
    "tau",
    "text-field",
    "truth",
];

/// A message with a flag for each setting that it names in backticks.
pub fn with_flags(message: &str) -> String {
    SETTINGS.iter().fold(message.to_owned(), |message, setting| {
        let dashes = if setting.len() == 1 { "-" } else { "--" };
        message.replace(&format!("`{setting}`"), &format!("{dashes}{setting}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Settings;

    #[test]
    fn a_command_names_the_flags_and_leaves_other_code_alone() {
        let settings = Settings { k: 65, ..Settings::default() };
        let error = settings.check().unwrap_err().to_string();
        assert!(error.ends_with("use a smaller `k` or more `bits`"), "{error}");
        assert!(with_flags(&error).ends_with("use a smaller -k or more --bits"));
        assert_eq!(with_flags("use `simscope groups`"), "use `simscope groups`");
    }
}
