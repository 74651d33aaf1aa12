//! How many features of a document have a 1 at each bit, kept small: the votes where all weigh the same.
//!
//! Costs a byte a bit for a document of less than 256 features, two below 65,536, else four; nothing for one
//! without features.

/// Appends the counts of a document with so many features.
pub(super) fn push(bytes: &mut Vec<u8>, n_features: u32, ones: impl Iterator<Item = u32>) {
    match bytes_each(n_features) {
        0 => {}
        1 => bytes.extend(ones.map(|n| n as u8)),
        2 => bytes.extend(ones.flat_map(|n| (n as u16).to_le_bytes())),
        _ => bytes.extend(ones.flat_map(u32::to_le_bytes)),
    }
}

/// The counts that `rest` begins with, of a document with so many features; `rest` is then what comes behind.
pub(super) fn take(rest: &mut &[u8], n_features: u32, width: u32) -> [u32; 128] {
    let size = bytes_each(n_features);
    let own;
    (own, *rest) = rest.split_at(size * width as usize);
    let mut ones = [0; 128];
    match size {
        0 => {}
        1 => ones.iter_mut().zip(own).for_each(|(n, byte)| *n = u32::from(*byte)),
        2 => {
            let own = own.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes).into());
            ones.iter_mut().zip(own).for_each(|(n, own)| *n = own);
        }
        _ => {
            let own = own.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
            ones.iter_mut().zip(own).for_each(|(n, own)| *n = own);
        }
    }
    ones
}

fn bytes_each(n_features: u32) -> usize {
    match n_features {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_back_whatever_their_size() {
        let documents = [(0u32, 3u32), (255, 255), (256, 256), (65_535, 65_535), (70_000, 65_536)];
        let ones = |most: u32| (0..17).map(move |bit| most - most * bit / 16);
        let mut bytes = Vec::new();
        for (n, most) in documents {
            push(&mut bytes, n, ones(most.min(n)));
        }
        assert_eq!(bytes.len(), 17 * (1 + 2 + 2 + 4));
        let mut rest = &*bytes;
        for (n, most) in documents {
            let found = take(&mut rest, n, 17);
            assert!(ones(most.min(n)).eq(found[..17].iter().copied()));
            assert_eq!(found[17..], [0; 111]);
        }
        assert!(rest.is_empty());
        let mut bytes = Vec::new();
        push(&mut bytes, 200, 0..128);
        assert!(take(&mut &*bytes, 200, 128).into_iter().eq(0..128));
    }
}
