//! The data that the explorer opens with: the command line makes it, the screen takes it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::query::MarksQuery;
use crate::analysis::{Analysis, Settings};
use crate::app::Size;
use crate::app::custom_keys::Keymap;
use crate::app::screen::learn::lessons::LearnPlace;
use crate::corpus::{Input, KeptCorpus, LoadOptions};
use crate::look::Look;

/// The data that the explorer opens with.
#[derive(Clone, Debug)]
pub struct ExplorerStart {
    /// The name of the corpus.
    pub title: String,
    /// The recipe, k and layout to begin with.
    pub settings: Settings,
    /// The inputs to read.
    pub inputs: Vec<Input>,
    /// The options of reading.
    pub options: LoadOptions,
    /// The index that may stand for inputs.
    pub index: Option<Arc<KeptCorpus>>,
    /// The inputs, if the choice of k has read them already.
    pub read: Option<Arc<Analysis>>,
    /// The file of labels given by eye; `None` means the default file on a terminal, and no file on a page.
    pub labels: Option<PathBuf>,
    /// Whether recipe, k or tables were given, so that those of the last session are not restored.
    pub has_settings: bool,
    /// Whether no choice of the last session is restored (`--fresh`).
    pub is_fresh: bool,
    /// The marks to begin with.
    pub marks: Option<MarksQuery>,
    /// Whether pairs that are marked as no duplicates still make groups.
    pub all_pairs: bool,
    /// The fields to show as columns; those of the last session take their place.
    pub fields: Vec<String>,
    /// The colours and characters to draw with.
    pub look: Look,
    /// The keys of each view.
    pub keymap: Keymap,
    /// The place of Learn to open; `None` for the list of documents.
    pub learn: Option<LearnPlace>,
    /// The most columns and rows to draw; `None` for all of the terminal.
    pub size: Option<Size>,
}
