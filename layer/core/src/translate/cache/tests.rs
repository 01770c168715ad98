//! Tests of [`Cache`]: what is made once, what is evicted, what is counted.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Texts by number; the size of a text is its length.
struct Texts(Cache<u32, Arc<str>>);

impl Texts {
    fn new(bound: usize) -> Self {
        let texts = Self(Cache::new(|_| 0, |text| text.len()));
        texts.0.allow(bound);
        texts
    }

    /// The text of a number, made with this length, and whether it was made.
    fn get(&self, number: u32, length: usize) -> bool {
        self.0.get(u64::from(number), |key| *key == number, || number, |_| text(length)).1
    }

    fn has(&self, number: u32) -> bool {
        self.0.has(u64::from(number), |key| *key == number)
    }
}

fn text(length: usize) -> Arc<str> {
    "x".repeat(length).into()
}

#[test]
fn one_computation_for_many_threads() {
    let texts = Texts::new(1 << 20);
    let computed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let make = |_: &u32| {
                    computed.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    text(4)
                };
                let (value, _) = texts.0.get(1, |key| *key == 1, || 1, make);
                assert_eq!(&*value, "xxxx");
            });
        }
    });
    assert_eq!(computed.load(Ordering::SeqCst), 1);
}

#[test]
fn the_least_recently_used_goes_first() {
    let texts = Texts::new(3 * (ENTRY_BYTES + 400));
    for n in 0..3 {
        assert!(texts.get(n, 400));
    }
    assert!(!texts.get(0, 400), "it is still there, and now the most recent");
    assert!(texts.get(3, 400));
    assert!(texts.has(0) && texts.has(2) && texts.has(3));
    assert!(!texts.has(1));
    // `has` is no use, and `find` is one.
    assert!(texts.has(2) && texts.0.find(0, |key| *key == 0).is_some());
    assert!(texts.get(4, 400) && !texts.has(2) && texts.has(0));
}

#[test]
fn a_large_value_displaces_several() {
    let texts = Texts::new(4 * (ENTRY_BYTES + 100));
    for n in 0..4 {
        texts.get(n, 100);
    }
    texts.get(4, ENTRY_BYTES + 200);
    assert_eq!((0..5).map(|n| texts.has(n)).collect::<Vec<_>>(), [false, false, true, true, true]);
    assert_eq!(texts.0.size(), (4 * ENTRY_BYTES + 400, 3));
}

/// A value that does not fit displaces no other.
#[test]
fn a_value_larger_than_the_bound_is_not_cached() {
    let texts = Texts::new(2 * (ENTRY_BYTES + 100));
    assert!(texts.get(0, 100) && texts.get(1, 100));
    assert!(texts.get(2, 2 * ENTRY_BYTES));
    assert!(texts.has(0) && texts.has(1) && !texts.has(2));
    assert_eq!(texts.0.size(), (2 * (ENTRY_BYTES + 100), 2));
    let none = Texts::new(0);
    assert!(none.get(0, 1) && none.get(0, 1));
    assert_eq!(none.0.size(), (0, 0));
}

#[test]
fn keys_compare_by_content() {
    let cache: Cache<&str, u8> = Cache::new(|key| key.len(), |_| 1);
    cache.allow(3 * (ENTRY_BYTES + 2));
    let get = |key: &'static str, value| cache.get(7, |other| *other == key, || key, |_| value);
    assert_eq!(get("a", 1), (1, true));
    assert_eq!(get("b", 2), (2, true));
    assert_eq!(get("c", 3), (3, true));
    assert_eq!((get("a", 9), get("b", 9), get("c", 9)), ((1, false), (2, false), (3, false)));
    // Each of the entries with one hash can be removed: the one in the middle, too.
    assert_eq!((get("b", 9), get("d", 4)), ((2, false), (4, true)));
    assert_eq!(get("e", 5), (5, true));
    assert_eq!((get("b", 9), get("d", 9), get("e", 9)), ((2, false), (4, false), (5, false)));
    assert_eq!(cache.size(), (3 * (ENTRY_BYTES + 2), 3), "the keys are counted, each once");
}

#[test]
fn a_panic_leaves_the_key_free() {
    let texts = Texts::new(1 << 20);
    let panics = || texts.0.get(0, |key| *key == 0, || 0, |_| panic!("once"));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics));
    assert!(panicked.is_err());
    assert_eq!(texts.0.size(), (0, 0), "no entry is left");
    assert!(texts.get(0, 1));
}

/// A value whose destruction uses the cache, as long as one is allowed to: evicted values are
/// dropped after the lock.
#[test]
fn evicted_values_are_dropped_without_the_lock() {
    #[derive(Clone)]
    struct Value(#[expect(dead_code, reason = "its destruction is what is tested")] Arc<Dropped>);
    struct Dropped(std::sync::Weak<Cache<u32, Value>>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            assert!(self.0.upgrade().is_none_or(|cache| cache.state.try_lock().is_some()));
        }
    }
    let cache: Arc<Cache<u32, Value>> = Arc::new(Cache::new(|_| 0, |_| 100));
    cache.allow(2 * (ENTRY_BYTES + 100));
    for number in 0..8 {
        let make = |_: &u32| Value(Arc::new(Dropped(Arc::downgrade(&cache))));
        cache.get(u64::from(number), |key| *key == number, || number, make);
    }
    assert_eq!(cache.size().1, 2);
}
