//! A fresh folder, files in it, and the program run there.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use regex::Regex;
use tempfile::TempDir;

/// Eight-bit fingerprints: two copies and a neighbour, a pair, a stranger, and nothing.
pub(crate) const BITS: &str = r#"{"id":"a","fingerprint":"00"}
{"id":"b","fingerprint":"00"}
{"id":"c","fingerprint":"01"}
{"id":"d","fingerprint":"ff"}
{"id":"e","fingerprint":"fe"}
{"id":"f","fingerprint":"3c"}
{"id":"g","fingerprint":null}
"#;

/// The words of a page as a reader sees them: a line for each block, without markup and pictures.
pub(crate) fn words(html: &str) -> String {
    let (_, body) = html.split_once("<body>").unwrap();
    let body = Regex::new(r"(?s)<svg.*?</svg>").unwrap().replace_all(body, "");
    let body = Regex::new(r"</t[dh]><t[dh][^>]*>|</dt>").unwrap().replace_all(&body, "  ");
    let body = Regex::new(r"<[^>]*>").unwrap().replace_all(&body, "");
    let body = Regex::new(r"\n\n+").unwrap().replace_all(&body, "\n").into_owned();
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    entities.iter().fold(body, |text, (entity, c)| text.replace(entity, c))
}

/// A temporary folder to run the program in.
pub(crate) struct Shell {
    folder: TempDir,
}

/// The output and status of a run.
#[derive(Debug)]
pub(crate) struct Done {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl Shell {
    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        Self { folder }
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The text of a file in the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program in this folder, in a terminal-less, English, UTF-8 world.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_simscope"));
        command.current_dir(self.folder.path());
        command.env("LC_ALL", "C.UTF-8").env("TERM", "xterm").env_remove("COLUMNS");
        command
    }

    /// Runs a line, split at white space.
    pub(crate) fn run(&self, line: &str) -> Done {
        self.run_args(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs with these arguments.
    pub(crate) fn run_args(&self, args: &[&str]) -> Done {
        self.run_with(args, "")
    }

    /// Runs with these arguments and this standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Done {
        let mut command = self.command();
        command.args(args);
        Self::finish(command, input)
    }

    /// Runs a command with this standard input.
    pub(crate) fn finish(mut command: Command, input: impl AsRef<[u8]>) -> Done {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that does not want its input closes it.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Done {
            code: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// The Python that `SIMSCOPE_PYTHON` names, else `python3`, if it has these modules.
pub(crate) fn python_with(modules: &str) -> Option<String> {
    let python = std::env::var("SIMSCOPE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    let has = has.is_ok_and(|has| has.status.success());
    if !has {
        eprintln!("skipped: {python} has no {modules}");
    }
    has.then_some(python)
}

impl Done {
    /// The rows of a run that must have gone well.
    #[track_caller]
    pub(crate) fn rows(self) -> String {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out
    }

    /// The messages of a run that must have ended with `code` and without rows.
    #[track_caller]
    pub(crate) fn refused(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        self.err
    }
}
