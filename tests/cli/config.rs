//! The configuration: printed, checked, read by the explorer, and of no effect on commands.

use super::shell::Shell;

#[test]
fn the_printed_configuration_is_sound() {
    let shell = Shell::with(&[]);
    let printed = shell.run_args(&["config"]);
    assert_eq!(printed.code, 0);
    assert!(
        printed.out.contains("theme = \"auto\"") && printed.out.contains("# down = \"j<down>\"")
    );
    let shell = Shell::with(&[("config.toml", &printed.out)]);
    let checked = shell.run_args(&["config", "--check", "config.toml"]);
    assert_eq!((checked.code, &*checked.out), (0, "config.toml: sound\n"));
}

#[test]
fn a_setting_without_effect_is_told_and_not_refused() {
    let shell = Shell::with(&[("config.toml", "[theme]\nbase = \"light\"\nwarn = \"#ffff00\"\n")]);
    let checked = shell.run_args(&["config", "--check", "config.toml"]);
    assert_eq!(checked.code, 0);
    let note = "config.toml:1: note: single colours have no effect; name a theme";
    assert!(checked.out.starts_with(note) && checked.out.ends_with("sound\n"), "{}", checked.out);
}

#[test]
fn a_mistake_is_named_with_file_and_line() {
    let text = "theme = \"dark\"\n\n[keys]\nundoo = \"Z\"\n";
    let shell = Shell::with(&[("config.toml", text)]);
    let checked = shell.run_args(&["config", "--check", "config.toml"]);
    assert_eq!(checked.code, 2);
    assert!(
        checked.err.contains("config.toml:4: undoo is unknown; did you mean undo?"),
        "{}",
        checked.err
    );
    let device = shell.run_args(&["config", "--check", "/dev/zero"]);
    assert!(device.err.contains("/dev/zero: not an ordinary file"), "{}", device.err);
    let missing = shell.run_args(&["config", "--check", "nowhere.toml"]);
    assert!(missing.err.contains("`simscope config` prints one"), "{}", missing.err);
}
