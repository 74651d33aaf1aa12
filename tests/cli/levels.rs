//! The instruction-set level: rows are the same at every one, and a level the processor lacks is refused.

use super::shell::{Done, Shell};

/// The levels, the lowest first.
const LEVELS: [&str; 3] = ["plain", "avx2", "avx512"];

fn run_at(shell: &Shell, level: &str, line: &str) -> Done {
    let output =
        shell.command().env("SIMSCOPE_SIMD", level).args(line.split(' ')).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn rows_are_the_same_at_every_level() {
    let shell = Shell::with(&[]);
    for line in [
        "fingerprint -f csv",
        "fingerprint --bits 128 --weights tf-idf -f csv",
        "pairs -k 3 -f csv",
        "pairs -k 9 -f csv",
        "pairs -k 8 --bands 4x12 -f csv",
        "tune -f csv",
    ] {
        let expected = run_at(&shell, "plain", line).rows();
        for level in LEVELS {
            let done = run_at(&shell, level, line);
            if done.err.contains("this processor has no") {
                println!("skipped: {}", done.refused(2).trim());
            } else {
                assert_eq!(done.rows(), expected, "{line} at {level}");
            }
        }
    }
}

#[test]
fn an_unknown_level_is_refused() {
    let message = run_at(&Shell::with(&[]), "sse9", "pairs -f csv").refused(2);
    let expected = "SIMSCOPE_SIMD: instruction-set level \"sse9\" is unknown; choose one of plain, avx2, avx512";
    assert!(message.contains(expected), "{message}");
}
