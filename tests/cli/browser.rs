//! The report opened in a real browser, where there is one: it renders, runs nothing and asks no one.

use std::io::{ErrorKind, Read as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use super::report::hostile;
use super::shell::Shell;

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "chrome"];
/// A browser that takes longer hangs.
const PATIENCE: Duration = Duration::from_mins(2);

/// A browser that starts, if there is one.
fn browser() -> Option<PathBuf> {
    let paths = env::var_os("PATH")?;
    let found = NAMES.iter().flat_map(|name| {
        env::split_paths(&paths).map(move |folder| folder.join(name)).filter(|path| path.is_file())
    });
    let starts = |path: &PathBuf| {
        let version = Command::new(path).arg("--version").stderr(Stdio::null()).output();
        version.is_ok_and(|done| done.status.success())
    };
    found.into_iter().find(starts)
}

/// Its output, and its messages, those of the console among them.
fn open(browser: &PathBuf, shell: &Shell, page: &str, args: &[&str]) -> (String, String) {
    let file = |name: &str| fs::File::create(shell.path(name)).unwrap();
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
        .args(["--disable-background-networking", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--enable-logging=stderr", "--log-level=0"])
        .arg(format!("--user-data-dir={}", shell.path("profile").display()))
        .args(args)
        .arg(format!("file://{}", shell.path(page).display()))
        .stdin(Stdio::null())
        .stdout(file("out"))
        .stderr(file("err"))
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the browser hangs: {}", shell.read("err"));
        }
        thread::sleep(Duration::from_millis(20));
    }
    (shell.read("out"), fs::read_to_string(shell.path("err")).unwrap_or_default())
}

#[test]
fn a_browser_shows_it_and_asks_nobody() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium, chromium-browser or google-chrome in PATH");
        return;
    };
    // Whoever obeyed a document would call here.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let shell = Shell::with(&[("hostile.jsonl", &hostile(&host))]);
    shell.run("report -q -o sample.html").rows();
    shell.run("report -q -k 8 -o hostile.html hostile.jsonl").rows();
    for (page, title, n_texts) in [
        ("sample.html", "<title>Near-duplicates in the sample corpus</title>", 6),
        ("hostile.html", "<title>Near-duplicates in hostile.jsonl</title>", 1),
    ] {
        let (dom, err) = open(&browser, &shell, page, &["--dump-dom"]);
        assert!(dom.contains(title), "{page}: {err}\n{}", &dom[..dom.floor_char_boundary(2000)]);
        assert_eq!(dom.matches("class=\"bar ").count(), 65, "{page}");
        assert!(dom.matches("class=\"texts\"").count() >= n_texts, "{page}");
        // The parser closed no tag of ours early: the end is where it was written.
        assert_eq!(dom.matches("<section").count(), dom.matches("</section>").count());
        assert!(dom.contains("<footer><p>Made by simscope"), "{page}");
        assert!(!dom.contains("<script") && !dom.contains("<img") && !dom.contains("<base"));
        assert!(!err.contains("CONSOLE"), "{page}: {err}");
    }
    for (name, size, mode) in [
        ("light.png", "1200,3000", "1"),
        ("dark.png", "1200,3000", "0"),
        ("narrow.png", "400,3000", "1"),
    ] {
        let shot = format!("--screenshot={}", shell.path(name).display());
        let mode = format!("--blink-settings=preferredColorScheme={mode}");
        let (_, err) = open(
            &browser,
            &shell,
            "sample.html",
            &[&shot, &format!("--window-size={size}"), &mode],
        );
        let mut picture = Vec::new();
        fs::File::open(shell.path(name)).expect(&err).read_to_end(&mut picture).unwrap();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000, "{name}: {err}");
    }
    assert_ne!(
        fs::read(shell.path("light.png")).unwrap(),
        fs::read(shell.path("dark.png")).unwrap()
    );
    assert_eq!(
        listener.accept().unwrap_err().kind(),
        ErrorKind::WouldBlock,
        "a document was obeyed"
    );
}
