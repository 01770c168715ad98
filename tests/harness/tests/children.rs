//! Children of a process say how they ended. This program has one thread, which libtest has not.

use std::process::{abort, exit};
use std::time::Duration;

use dxil_tests::child::{Child, Ended};
use rustix::process::Signal;

const MINUTE: Duration = Duration::from_secs(60);

/// How a child ends that does this.
fn ended(limit: Duration, run: impl FnOnce() -> i32) -> Ended {
    Child::wait_for_any(&mut vec![((), Child::start(limit, run).unwrap())]).unwrap().1
}

fn main() {
    // More than a pipe holds.
    let printed = ended(MINUTE, || {
        (0..100_000).for_each(|n| println!("{n}"));
        eprintln!("and an error");
        77
    });
    assert_eq!(printed.status.unwrap().exit_status(), Some(77));
    assert!(printed.said.starts_with("0\n1\n") && printed.said.ends_with("99999\nand an error\n"));

    let panicked = ended(MINUTE, || panic!("as it must"));
    assert_eq!(panicked.status.unwrap().exit_status(), Some(101));
    assert!(panicked.said.contains("as it must"), "{}", panicked.said);

    let crashed = ended(MINUTE, || abort());
    assert_eq!(crashed.status.unwrap().terminating_signal(), Some(Signal::ABORT.as_raw()));

    let hung = ended(Duration::from_millis(50), || {
        println!("begun");
        std::thread::sleep(MINUTE);
        0
    });
    assert!(hung.status.is_none());
    assert_eq!(hung.said, "begun\n");

    // The first that ends is the second of the list.
    let slow = Child::start(MINUTE, || {
        std::thread::sleep(Duration::from_millis(200));
        1
    });
    let mut both = vec![(0, slow.unwrap()), (1, Child::start(MINUTE, || exit(2)).unwrap())];
    for (place, status) in [(1, 2), (0, 1)] {
        let (at, ended) = Child::wait_for_any(&mut both).unwrap();
        assert_eq!((at, ended.status.unwrap().exit_status()), (place, Some(status)));
    }
    assert!(Child::wait_for_any(&mut both).is_err(), "no child is left");
    println!("test result: ok. 5 passed; 0 failed; 0 ignored");
}
