//! Many slices of one buffer, as starts and ends.

/// Slices of a buffer; they may overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slices<'a> {
    /// The buffer.
    pub(crate) bytes: &'a [u8],
    /// The start of each slice.
    pub(crate) starts: &'a [u32],
    /// The end of each slice plus `gap`.
    pub(crate) ends: &'a [u32],
    /// The bytes between two tokens.
    pub(crate) gap: u32,
}

impl<'a> Slices<'a> {
    /// No slices.
    pub(crate) const NONE: Self = Self { bytes: &[], starts: &[], ends: &[], gap: 0 };

    /// The number of slices.
    pub(crate) fn len(self) -> usize {
        self.starts.len()
    }

    /// The slices in order.
    #[inline]
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        let Self { bytes, starts, ends, gap } = self;
        let slice =
            move |(&start, &end): (&u32, &u32)| &bytes[start as usize..(end - gap) as usize];
        starts.iter().zip(ends).map(slice)
    }

    /// The slices, `n` at a time.
    pub(crate) fn chunks(self, n: usize) -> impl Iterator<Item = Self> {
        let Self { bytes, starts, ends, gap } = self;
        let chunks = starts.chunks(n).zip(ends.chunks(n));
        chunks.map(move |(starts, ends)| Self { bytes, starts, ends, gap })
    }
}
