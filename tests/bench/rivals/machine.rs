//! Where the figures come from: processor, compiler, versions, command.

use std::process::Command;
use std::thread;

use crate::asked::Asked;
use crate::limit::Level;
use crate::report;

const LOCK: &str = include_str!("../Cargo.lock");

/// Whether both sides were compiled for this machine's processor, as far as a common instruction says.
pub(crate) const IS_NATIVE: bool =
    cfg!(any(not(target_arch = "x86_64"), target_feature = "popcnt"));

/// Says what ran where.
pub(crate) fn describe(asked: &Asked) {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    report::paragraph(&format!(
        "Machine: {}, {cores} cores, {}. {}, {}. simscope {}, all-pairs-hamming {} (MultiSort) \
         at its best number of blocks. Data: `tests/support/data.rs`. One thread, CPU \
         time, medians of interleaved runs; ratios with the smallest and the largest. Command: `{}`.",
        processor(),
        Level::detect().name(),
        compiler(),
        target(),
        version("simscope"),
        version("all-pairs-hamming"),
        asked.command,
    ));
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned())
}

/// The compiler that made this, as far as the shell knows.
fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output().ok();
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let words: Vec<_> = text.split_whitespace().take(2).collect();
    if words.is_empty() { "rustc".to_owned() } else { words.join(" ") }
}

fn target() -> &'static str {
    if IS_NATIVE {
        "both sides compiled for this processor"
    } else {
        "both sides compiled for any x86-64 (the rivals without POPCNT)"
    }
}

/// The version of a package in `Cargo.lock`.
fn version(package: &str) -> &'static str {
    let entry = LOCK.split_once(&format!("name = \"{package}\"\nversion = \""));
    entry.and_then(|(_, rest)| rest.split('"').next()).unwrap_or("?")
}
