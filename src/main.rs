//! The program. A stand-in until the command line arrives.

use std::{env, process::ExitCode};

use anyhow::{Context, Result, bail};
use simscope::{
    analysis::Settings,
    app::{Keys, Size},
    corpus::{Input, LoadOptions},
    tui::{self, Start},
};

fn main() -> ExitCode {
    match open() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("simscope: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn open() -> Result<()> {
    let (mut inputs, mut keys, mut print) = (Vec::new(), Keys::default(), false);
    let mut size = Size { width: 80, height: 24 };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--print" => print = true,
            "--keys" => keys = args.next().context("--keys needs keys")?.parse()?,
            "--size" => size = parse(&args.next().context("--size needs WxH")?)?,
            "-" => inputs.push(Input::Stdin),
            option if option.starts_with('-') => bail!("no option {option}"),
            path => inputs.push(Input::Path(path.into())),
        }
    }
    if inputs.is_empty() {
        let bytes = include_bytes!("../assets/sample.jsonl");
        inputs.push(Input::Bundled { name: "sample.jsonl", bytes });
    }
    let start = Start {
        title: "corpus".to_owned(),
        settings: Settings { k: 3, ..Settings::default() },
        inputs,
        options: LoadOptions::default(),
        ascii: false,
        mono: env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
    };
    if !print {
        return tui::run(start);
    }
    print!("{}", tui::print(start, &keys, size)?);
    Ok(())
}

fn parse(size: &str) -> Result<Size> {
    let (width, height) = size.split_once('x').context("--size takes WxH")?;
    Ok(Size { width: width.parse()?, height: height.parse()? })
}
