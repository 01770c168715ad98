//! Counters of blobs, translations and cache hits, for the setting `stats`.
//!
//! In: one call per event. Out: one line of text. What must hold: memory is bounded; the
//! percentiles come from a histogram with steps of about 6 percent.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;

/// Steps of the histogram per doubling of the time.
const STEPS: u32 = 12;
const BUCKETS: usize = 32 * STEPS as usize;

/// Counters.
#[derive(Default)]
pub struct Stats {
    blobs: AtomicU64,
    parsed: AtomicU64,
    parse_nanos: AtomicU64,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
    hits: AtomicU64,
    failures: AtomicU64,
    substitutions: AtomicU64,
    times: Mutex<Times>,
}

struct Times {
    count: u64,
    total: Duration,
    buckets: [u32; BUCKETS],
}

impl Default for Times {
    fn default() -> Self {
        Self { count: 0, total: Duration::ZERO, buckets: [0; BUCKETS] }
    }
}

impl Stats {
    /// Counts an incoming blob of this size.
    pub fn blob(&self, bytes: usize) {
        self.blobs.fetch_add(1, Relaxed);
        self.bytes_in.fetch_add(bytes as u64, Relaxed);
    }
    /// Counts the parsing of a blob, which may have failed, with its duration.
    pub fn parse(&self, time: Duration, failed: bool) {
        self.parsed.fetch_add(1, Relaxed);
        self.parse_nanos.fetch_add(time.as_nanos() as u64, Relaxed);
        self.failures.fetch_add(u64::from(failed), Relaxed);
    }
    /// Counts a pipeline or shader module without a binding plan.
    pub fn plan_failure(&self) {
        self.failures.fetch_add(1, Relaxed);
    }
    /// Counts a cache hit.
    pub fn hit(&self) {
        self.hits.fetch_add(1, Relaxed);
    }
    /// Counts a pipeline stage whose module, code or name was replaced.
    pub fn substitution(&self) {
        self.substitutions.fetch_add(1, Relaxed);
    }
    /// Counts a translation with its duration and the size of its result; `None` for an error.
    pub fn translation(&self, time: Duration, bytes: Option<usize>) {
        match bytes {
            Some(bytes) => _ = self.bytes_out.fetch_add(bytes as u64, Relaxed),
            None => _ = self.failures.fetch_add(1, Relaxed),
        }
        let mut times = self.times.lock();
        times.count += 1;
        times.total += time;
        if let Some(bucket) = times.buckets.get_mut(bucket(time)) {
            *bucket = bucket.saturating_add(1);
        }
    }
}

fn bucket(time: Duration) -> usize {
    let micros = time.as_micros().max(1) as f64;
    ((micros.log2() * f64::from(STEPS)) as usize).min(BUCKETS - 1)
}

impl Times {
    fn percentile(&self, percent: u64) -> f64 {
        let wanted = (self.count * percent).div_ceil(100);
        let mut seen = 0;
        let index = self.buckets.iter().position(|&n| {
            seen += u64::from(n);
            seen >= wanted.max(1)
        });
        index.map_or(0.0, |i| ((i as f64 + 0.5) / f64::from(STEPS)).exp2() / 1000.0)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = self.times.lock();
        write!(
            f,
            "blobs {}, parsed {}, translations {}, failures {}, cache hits {}, substitutions {}, parsing {:.3} ms, \
             translating {:.3} ms (p50 {:.3}, p99 {:.3}), bytes in {}, bytes out {}",
            self.blobs.load(Relaxed),
            self.parsed.load(Relaxed),
            times.count,
            self.failures.load(Relaxed),
            self.hits.load(Relaxed),
            self.substitutions.load(Relaxed),
            self.parse_nanos.load(Relaxed) as f64 / 1e6,
            times.total.as_secs_f64() * 1000.0,
            times.percentile(50),
            times.percentile(99),
            self.bytes_in.load(Relaxed),
            self.bytes_out.load(Relaxed),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_all_work() {
        let stats = Stats::default();
        stats.blob(100);
        stats.blob(100);
        stats.parse(Duration::from_micros(1500), false);
        stats.plan_failure();
        stats.hit();
        stats.translation(Duration::from_micros(2000), Some(64));
        let line = stats.to_string();
        let counts = "blobs 2, parsed 1, translations 1, failures 1, cache hits 1, substitutions 0";
        assert!(line.starts_with(&format!("{counts}, parsing 1.500 ms, translating 2.000 ms (p50 ")), "{line}");
        assert!(line.ends_with("bytes in 200, bytes out 64"), "{line}");
    }

    #[test]
    fn percentiles_are_close() {
        let mut times = Times::default();
        for micros in 1..=1000u64 {
            times.count += 1;
            times.buckets[bucket(Duration::from_micros(micros))] += 1;
        }
        assert!((times.percentile(50) - 0.5).abs() < 0.05, "{}", times.percentile(50));
        assert!((times.percentile(99) - 0.99).abs() < 0.1, "{}", times.percentile(99));
    }
}
