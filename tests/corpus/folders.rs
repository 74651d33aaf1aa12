//! Folders: order, hidden and binary files, links, loops, globs.

use simscope::corpus::{Input, InputFormat, LoadOptions};
use simscope::id::DocId;

use super::{Folder, load_path, load_with, try_load};

#[test]
fn a_folder_loads_in_the_order_of_its_names() {
    let folder = Folder::new();
    folder.write("b.txt", "2");
    folder.write("a/z.txt", "1");
    folder.write("c/rows.jsonl", "{\"text\":\"3\"}\n{\"id\":\"x\",\"text\":\"4\"}\n");
    let loaded = load_path(folder.path());
    assert_eq!(loaded.texts(), ["1", "2", "3", "4"]);
    assert_eq!(loaded.ids(), ["a/z.txt", "b.txt", "c/rows.jsonl:1", "x"]);
    assert_eq!(folder.hide(&loaded.corpus.place(DocId(3))), "DIR/c/rows.jsonl:2");
    assert_eq!(loaded.corpus.find("b.txt"), [DocId(1)]);
    assert!(loaded.corpus.find("b").is_empty());
}

#[test]
fn hidden_and_binary_files_are_skipped_and_counted() {
    let folder = Folder::new();
    folder.write("a.txt", "text");
    folder.write(".hidden.txt", "no");
    folder.write(".git/config", "no");
    folder.write("sub/.x", "no");
    folder.write("data.bin", b"\x00\x01");
    folder.write("text.png", b"\x89PNG\r\n\x1a\n\0\0");
    let loaded = load_path(folder.path());
    assert_eq!(loaded.ids(), ["a.txt"]);
    assert_eq!(loaded.corpus.summary().to_string(), "skipped 3 hidden and 2 binary files");
    assert!(loaded.corpus.diagnostics().is_empty());
}

#[test]
fn a_hidden_file_or_folder_that_is_asked_for_is_read() {
    let folder = Folder::new();
    let path = folder.write(".config/a.txt", "text");
    assert_eq!(load_path(&path).ids(), ["a.txt"]);
    assert_eq!(load_path(path.parent().unwrap()).ids(), ["a.txt"]);
}

#[test]
fn a_glob_chooses_files_in_folders_only() {
    let folder = Folder::new();
    folder.write("in/a.txt", "1");
    folder.write("in/b.md", "2");
    let given = folder.write("c.md", "3");
    let options = LoadOptions { glob: Some("*.txt".into()), ..LoadOptions::default() };
    let inputs = [Input::Path(folder.path().join("in")), Input::Path(given)];
    let loaded = try_load(&inputs, &options).unwrap();
    assert_eq!(loaded.ids(), ["a.txt", "c.md"]);
    assert_eq!(loaded.corpus.summary().to_string(), "skipped 1 unmatched file");
}

#[test]
fn a_given_format_holds_for_files_in_folders() {
    let folder = Folder::new();
    folder.write("a.jsonl", "one\ntwo\n");
    let options = LoadOptions { input_format: InputFormat::LINES, ..LoadOptions::default() };
    assert_eq!(load_with(folder.path(), &options).texts(), ["one", "two"]);
}

#[test]
fn equal_ids_are_kept_apart_by_their_documents() {
    let folder = Folder::new();
    folder.write("a.jsonl", "{\"id\":\"same\",\"text\":\"1\"}\n{\"id\":\"same\",\"text\":\"2\"}\n");
    let loaded = load_path(folder.path());
    assert_eq!(loaded.corpus.find("same"), [DocId(0), DocId(1)]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use super::*;

    fn followed() -> LoadOptions {
        LoadOptions { follow_links: true, ..LoadOptions::default() }
    }

    #[test]
    fn links_are_counted_and_followed_only_when_asked() {
        let folder = Folder::new();
        let real = folder.write("in/real.txt", "text");
        symlink(&real, folder.path().join("in/link.txt")).unwrap();
        let root = folder.path().join("in");
        let loaded = load_path(&root);
        assert_eq!(loaded.ids(), ["real.txt"]);
        assert_eq!(loaded.corpus.summary().to_string(), "skipped 1 linked file");
        let outside = folder.write("out.txt", "text");
        symlink(&outside, root.join("out.txt")).unwrap();
        assert_eq!(load_with(&root, &followed()).ids(), ["out.txt", "real.txt"]);
        // A file given by its name is read.
        assert_eq!(load_path(&root.join("link.txt")).ids(), ["link.txt"]);
        symlink(&root, folder.path().join("folder")).unwrap();
        assert_eq!(load_path(&folder.path().join("folder")).ids(), ["real.txt"]);
    }

    /// Whether the link leads to the file or to a folder, and whether it comes first.
    #[test]
    fn a_file_reached_twice_is_read_once_by_its_own_path() {
        let folder = Folder::new();
        let root = folder.path().join("in");
        let real = folder.write("in/m/real.txt", "text");
        folder.write("in/.hidden/h.txt", "hidden");
        symlink(&real, root.join("a.txt")).unwrap();
        symlink("m", root.join("folder")).unwrap();
        symlink("m", root.join("n")).unwrap();
        // What is not read by its own path is read by the first link.
        symlink(".hidden/h.txt", root.join("y.txt")).unwrap();
        symlink(".hidden/h.txt", root.join("z.txt")).unwrap();
        let loaded = load_with(&root, &followed());
        assert_eq!(loaded.ids(), ["m/real.txt", "y.txt"]);
        assert_eq!(loaded.corpus.summary().links, 4);
        let skipped = loaded.corpus.skipped().iter().map(|it| folder.hide(&it.to_string()));
        let links: Vec<_> =
            skipped.filter(|it| it.ends_with("a link to a file that is read")).collect();
        let expected = ["a.txt", "folder/real.txt", "n/real.txt", "z.txt"];
        assert_eq!(links, expected.map(|it| format!("DIR/in/{it}: a link to a file that is read")));
        let link = root.join("a.txt");
        for inputs in [[&link, &real], [&real, &link], [&root, &real], [&real, &real]] {
            let inputs = inputs.map(|path| Input::Path(path.clone()));
            let loaded = try_load(&inputs, &LoadOptions::default()).unwrap();
            assert_eq!(loaded.corpus.len(), 1);
            assert!(loaded.corpus.place(DocId(0)).ends_with("real.txt"));
            // Each side has its own.
            let sides = LoadOptions { n_reference: 1, ..followed() };
            assert!(try_load(&inputs, &sides).unwrap().corpus.len() > 1);
        }
    }

    #[test]
    fn loops_and_dangling_links_are_told_and_survived() {
        let folder = Folder::new();
        folder.write("a.txt", "text");
        symlink("..", folder.path().join("sub_up")).unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        symlink("..", folder.path().join("sub/up")).unwrap();
        symlink("self", folder.path().join("self")).unwrap();
        symlink("nowhere", folder.path().join("dangling")).unwrap();
        std::fs::remove_file(folder.path().join("sub_up")).unwrap();
        let loaded = load_with(folder.path(), &followed());
        assert_eq!(loaded.ids(), ["a.txt"]);
        let messages = folder.messages(&loaded.corpus);
        assert_eq!(messages[0], "DIR/dangling: not found; check the path");
        assert!(
            messages[1].starts_with("DIR/self: too many levels of symbolic links"),
            "{messages:?}"
        );
        assert_eq!(messages[2], "DIR/sub/up: a link to a folder above it, so it is not entered");
        assert_eq!(messages.len(), 3);
    }

    #[test]
    fn pipes_and_sockets_in_folders_are_special() {
        let folder = Folder::new();
        folder.write("a.txt", "text");
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        let loaded = load_path(folder.path());
        assert_eq!(loaded.corpus.summary().to_string(), "skipped 1 special file");
    }

    #[test]
    fn hostile_names_are_ids_as_they_are_and_printed_tamed() {
        let folder = Folder::new();
        folder.write("new\nline \u{1b}[31m.txt", "text");
        let raw = folder.path().join(std::ffi::OsStr::from_bytes(b"raw \xff.txt"));
        if std::fs::write(&raw, "text").is_err() {
            eprintln!("skipped: this file system wants UTF-8 names");
            return;
        }
        let loaded = load_path(folder.path());
        assert_eq!(loaded.ids(), ["new\nline \u{1b}[31m.txt", "raw \\xff.txt"]);
        let place = folder.hide(&loaded.corpus.place(DocId(0)));
        assert_eq!(place, "DIR/new line ^[[31m.txt");
        // An address has them as they are, so that two files have two.
        let files = [0, 1].map(|at| folder.hide(&loaded.corpus.address(DocId(at)).file));
        assert_eq!(files, ["DIR/new\nline \u{1b}[31m.txt", "DIR/raw \\xff.txt"]);
    }
}
