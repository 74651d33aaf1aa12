//! `simscope query`: the near-duplicates of one document, text or fingerprint.

use anyhow::{Context, bail, ensure};

use super::args::QueryOf;
use super::lookup;
use super::options::CommandRun;
use super::work::{finish, searched, staged};
use crate::analysis::{Analysis, AnalysisDepth, FingerprintIndex, Stage};
use crate::corpus::{Content, read_text_file};
use crate::facts::documents::neighbours;
use crate::id::DocId;
use crate::index::Neighbour;
use crate::number::counted;
use crate::simhash::Fingerprint;
use crate::text::visible::visible;

/// The document, text or fingerprint whose neighbours are searched.
enum QuerySubject {
    Id(String),
    Text(String),
    Fingerprint(Fingerprint),
}

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, of: QueryOf) -> anyhow::Result<u8> {
    let of = wanted(run, of)?;
    ensure!(
        run.similarity.is_none() || !matches!(of, QuerySubject::Fingerprint(_)),
        "--similarity compares texts, and a fingerprint has none; give --id or --text, or -k"
    );
    let (analysis, code) = finish(run, AnalysisDepth::Index)?;
    let (fingerprint, itself) = resolve(run, &analysis, &of)?;
    let index = analysis.index.as_deref().expect("this depth has an index");
    let corpus = &analysis.corpus;
    let is_wanted = |document| match corpus.reference() {
        Some(_) => corpus.is_reference(document),
        None => Some(document) != itself,
    };
    let mut found = search(index, fingerprint, run.settings.k);
    found.retain(|near| is_wanted(near.document));
    if run.similarity.is_some() {
        let within = found.len();
        keep_similar(run, &analysis, &of, itself, &mut found)?;
        run.notes
            .note(&format_args!("{within} are within k, and {} are that similar", found.len()));
    }
    let rows = found.iter().map(|near| (corpus.id(near.document), near.distance));
    run.write_rows(neighbours(), rows)?;
    let n_reference = (analysis.len() - corpus.n_first()) as u64;
    let among = match n_reference {
        0 => searched(&analysis),
        n => format!("{} of the reference", counted(n, "document")),
    };
    let k = run.settings.k;
    run.notes.note(&format_args!("{} within {k} of {fingerprint} among {among}", found.len()));
    if corpus.has_unknown_recipe() && matches!(of, QuerySubject::Text(_)) {
        run.notes.note(&format_args!(
            "the corpus names no recipe of its fingerprints; distances to the text are right only if that recipe is {}, \
             as for the text (--recipe)",
            analysis.settings.recipe.short()
        ));
    }
    Ok(code)
}

/// Leaves the neighbours whose texts are as similar as the run asks for.
fn keep_similar(
    run: &CommandRun,
    analysis: &Analysis,
    of: &QuerySubject,
    itself: Option<DocId>,
    found: &mut Vec<Neighbour>,
) -> anyhow::Result<()> {
    let own = itself.map(|it| analysis.corpus.read(it)).transpose()?;
    let text = match (of, &own) {
        (QuerySubject::Text(text), _) => text.as_str(),
        (_, Some(Content::Text(text))) => text,
        _ => bail!("--similarity compares texts, and this document has none; give -k"),
    };
    let documents: Vec<DocId> = found.iter().map(|near| near.document).collect();
    let cosines =
        staged(run, Stage::Compare, |job| analysis.set_cosines_of_text(text, &documents, job))?;
    let mut cosines = cosines.into_iter();
    found.retain(|_| analysis.is_similar(cosines.next().flatten()));
    Ok(())
}

/// Looks up candidates by bands if the layout is bands, as the user wants to see what they miss; else the search is
/// exact.
fn search(index: &FingerprintIndex, fingerprint: Fingerprint, k: u32) -> Vec<Neighbour> {
    if index.layout().is_bands() {
        index.neighbours_by_tables(fingerprint, k)
    } else {
        index.neighbours(fingerprint, k)
    }
}

/// Reads the subject, as far as it can be read before the corpus.
fn wanted(run: &CommandRun, of: QueryOf) -> anyhow::Result<QuerySubject> {
    Ok(match of {
        QueryOf { id: Some(id), .. } => QuerySubject::Id(id),
        QueryOf { text: Some(text), .. } => QuerySubject::Text(text),
        QueryOf { text_file: Some(path), .. } => {
            run.protect(&path)?;
            QuerySubject::Text(read_text_file(path).context("--text-file")?)
        }
        QueryOf { fingerprint: Some(hex), .. } => {
            let fingerprint = Fingerprint::parse(hex.trim(), run.settings.recipe.bits);
            QuerySubject::Fingerprint(
                fingerprint.with_context(|| format!("--fingerprint {}", visible(&hex)))?,
            )
        }
        _ => bail!("nothing to look for; give --id, --text, --text-file or --fingerprint"),
    })
}

/// The fingerprint to look for, and the document to leave out of the list.
fn resolve(
    run: &CommandRun,
    analysis: &Analysis,
    of: &QuerySubject,
) -> anyhow::Result<(Fingerprint, Option<DocId>)> {
    match of {
        QuerySubject::Id(id) => {
            let document = lookup::document(run, analysis, id)?;
            Ok((lookup::fingerprint(analysis, document)?, Some(document)))
        }
        QuerySubject::Text(text) => {
            let fingerprint = analysis.fingerprinter.fingerprint(text);
            let remedy =
                "the text has no features, so nothing is near it; give one with words in it";
            Ok((fingerprint.context(remedy)?, None))
        }
        QuerySubject::Fingerprint(fingerprint) => Ok((*fingerprint, None)),
    }
}
