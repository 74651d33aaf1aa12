//! `figure`: pictures that stand alone.

use super::shell::Shell;

#[test]
fn every_figure_is_a_picture_of_the_sample() {
    for (arguments, says) in [
        (&["s-curve"][..], "3 bands of 18 bits"),
        (&["s-curve", "--bands", "5x12", "-k", "6"], "within k = 6 of 64 bits"),
        (&["histogram"], "Distances of all pairs in sample.jsonl"),
        (&["thresholds"], "recall: true pairs that are within k"),
        (&["lab-bits"], "3 bands over their bits"),
        (&["lab-bands"], "Bands of 18 bits over their number"),
        (&["seeds", "--pair", "tide-log,tide-log-thirteen"], "200 hash functions"),
    ] {
        let output = Shell::with(&[]).run_args(&[&["figure"], arguments].concat());
        assert_eq!(output.code, 0, "{arguments:?}: {}", output.err);
        let picture = &output.out;
        assert!(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{picture}");
        assert!(
            picture.ends_with("</svg>\n") && picture.contains(says),
            "{arguments:?}: {picture}"
        );
        // Programs that know no variables of CSS read it, too.
        assert!(!picture.contains("var(--"), "{picture}");
        let count = |part: &str| picture.matches(part).count();
        assert_eq!(count("<svg ") + count("<g>"), count("</svg>") + count("</g>"));
    }
}

#[test]
fn the_thresholds_have_the_numbers_of_tune() {
    let shell = Shell::with(&[]);
    let rows = shell.run_args(&["tune", "-f", "csv"]).out;
    let header: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let column = header.iter().position(|name| *name == "recall").unwrap();
    let recall: Vec<f64> = rows
        .lines()
        .skip(1)
        .take(7)
        .map(|row| row.split(',').nth(column).unwrap().parse().unwrap())
        .collect();
    let picture = shell.run_args(&["figure", "thresholds"]).out;
    let line = picture.lines().filter(|line| line.starts_with("<polyline")).nth(1).unwrap();
    let points = line.split('"').nth(1).unwrap();
    // The ground of two lines is from 90 to 390.
    for (point, recall) in points.split(' ').zip(&recall) {
        let y: f64 = point.split_once(',').unwrap().1.parse().unwrap();
        assert!((y - (390.0 - 300.0 * recall)).abs() < 0.06, "{point} {recall}");
    }
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let shell =
        Shell::with(&[("two.jsonl", "{\"text\":\"one tide\"}\n{\"text\":\"another sea\"}\n")]);
    for (arguments, says) in [
        (&["seeds"][..], "--pair doc-17,doc-42"),
        (&["seeds", "--pair", "nobody,tide-log"], "no document has the id nobody"),
        (&["lab-bits", "--bands", "3x18"], "do not differ in this alone"),
        (&["pie"], "s-curve"),
        (&["s-curve", "--bands", "128x128"], "need 16384 bits"),
        (&["histogram", "-f", "csv"], "a figure is SVG"),
    ] {
        let output = shell.run_args(&[&["figure"], arguments].concat());
        assert_eq!(output.code, 2, "{arguments:?}");
        assert!(output.err.contains(says), "{arguments:?}: {}", output.err);
    }
}
