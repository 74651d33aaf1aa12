//! How much memory a call needs: an allocator that counts while asked to.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicIsize};

static COUNTING: AtomicBool = AtomicBool::new(false);
/// Bytes allocated since counting began, less those freed; below 0 if older ones were freed.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// The system's allocator; while [`peak`] runs, it counts. Otherwise it costs one load and a branch.
pub(crate) struct CountMethod;

fn count(bytes: isize) {
    if COUNTING.load(Relaxed) {
        let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
        PEAK.fetch_max(live, Relaxed);
    }
}

#[expect(
    unsafe_code,
    reason = "a global allocator is an unsafe trait; each call goes on unchanged"
)]
// SAFETY: every method passes its arguments to `System` as they came, and returns what it returns.
unsafe impl GlobalAlloc for CountMethod {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is the one `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is the one `System` asks for.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promise is the one `System` asks for.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The difference alone: large allocations grow by moving pages, not by copying.
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise is the one `System` asks for.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Runs `work`: what it returns, and the most bytes that were allocated at one time beyond those there
/// were before; what it returns is among them.
pub(crate) fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    let result = work();
    COUNTING.store(false, Relaxed);
    (result, PEAK.load(Relaxed) as usize)
}
