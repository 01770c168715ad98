#!/usr/bin/env python3
"""Counts the instructions that the translator executes, exactly, with valgrind's callgrind.

    scripts/instructions.py [--against GITREV] [FILE OR FOLDER...]
    scripts/instructions.py --gate
    scripts/instructions.py --accept REASON

Prints the instructions of one translation of each container (default: tests/corpus), of the whole
and of each stage, per shader and per KB of DXIL, and the number of allocations. With --against, the same containers are also
translated by the release build of another revision, and the ratios are printed. Counts do not
depend on the machine's load, and hardly on the machine. Stages are printed for revisions whose
benchmark has them as functions of their own.

With --gate, the program that tests build translates tests/corpus, and its counts are held to those
of tests/bench/instructions.txt: more than 3 % above them is an error. With --accept, the file gets
this tree's counts, and a line that says why they changed.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHERS = ROOT / "build" / "against"
GATE = ROOT / "tests" / "bench" / "instructions.txt"
# What counts may grow by without a reason.
GATE_RATIO = 1.03
WHOLE = "dxil_bench::measure"
ALLOCATIONS = "allocations"
# The functions of tests/bench/src/main.rs, with the names that its report gives to them.
STAGES = {
    WHOLE: "whole",
    "dxil_bench::stage_container": "container",
    "dxil_bench::stage_bitcode": "bitcode",
    "dxil_bench::stage_decode": "decode and metadata",
    "dxil_bench::stage_verify": "verify",
    "dxil_bench::stage_lower": "plan and lower to SPIR-V",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--against", metavar="GITREV", help="a revision to build and compare with")
    parser.add_argument("--gate", action="store_true", help="hold the counts of tests/corpus to the committed ones")
    parser.add_argument("--accept", metavar="REASON", help="write the counts of this tree, and say why")
    parser.add_argument("containers", metavar="FILE OR FOLDER", nargs="*", default=[str(ROOT / "tests/corpus")])
    arguments = parser.parse_args()
    for tool in ["valgrind", "callgrind_annotate"]:
        if not shutil.which(tool):
            sys.exit(f"instructions.py: {tool} is missing; install valgrind")
    if arguments.gate or arguments.accept:
        sys.exit(gate(arguments.accept))
    containers = [str(pathlib.Path(path).resolve()) for path in arguments.containers]
    mine = count(build(ROOT, ROOT / "target"), containers)
    other = None
    if arguments.against:
        other = count(build_revision(arguments.against), containers)
    show(mine, other, arguments.against)


def build(tree, target):
    command = ["cargo", "build", "--release", "--quiet", "--package", "dxil-bench", "--bin", "dxil-bench"]
    subprocess.run([*command, "--target-dir", str(target)], cwd=tree, check=True)
    return target / "release" / "dxil-bench"


def gate(reason):
    """Compares the counts of this tree with the committed ones. Returns the exit status."""
    compiler = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    lines = GATE.read_text().splitlines() if GATE.exists() else []
    known = dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    if not reason and known.get("compiler") != compiler:
        print(f"skipped: the counts of {GATE.name} are those of {known.get('compiler')}, and this is {compiler}")
        print("test result: ok. 0 passed; 0 failed; 1 ignored")
        return 0
    command = ["cargo", "build", "--quiet", "--package", "dxil-bench", "--bin", "dxil-bench"]
    subprocess.run(command, cwd=ROOT, check=True)
    containers = sorted(str(path) for path in (ROOT / "tests/corpus").glob("**/*.dxil"))
    shaders, _, counts = count(ROOT / "target" / "debug" / "dxil-bench", containers)
    whole, before = counts[WHOLE] // shaders, int(known.get("whole", 0))
    ratio = whole / before if before else 1
    for name, label in STAGES.items():
        print(f"{label}: {counts[name] // shaders:,} instructions per shader, {known.get(label, 'unknown')} before")
    if reason:
        counted = [f"{label}: {counts[name] // shaders}" for name, label in STAGES.items()]
        head = [line for line in lines if line.startswith("#")]
        GATE.write_text("\n".join([*head, f"# {before} to {whole}: {reason}", f"compiler: {compiler}", *counted]) + "\n")
        return 0
    if ratio <= GATE_RATIO:
        print("test result: ok. 1 passed; 0 failed; 0 ignored")
        return 0
    print(
        f"the translator takes {100 * (ratio - 1):.1f} % more instructions than {GATE.relative_to(ROOT)} has; make it "
        "cheaper, or write the new counts with their reason: scripts/instructions.py --accept REASON"
    )
    print("test result: FAILED. 0 passed; 1 failed; 0 ignored")
    return 1


def build_revision(name):
    """Checks a revision out into a folder of its own, and builds its benchmark there."""
    commit = subprocess.run(
        ["git", "rev-parse", "--verify", f"{name}^{{commit}}"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    tree = OTHERS / commit
    if not tree.exists():
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), commit], cwd=ROOT, check=True)
        override = ROOT / ".cargo" / "config.toml"
        if override.exists():
            (tree / ".cargo").mkdir(exist_ok=True)
            shutil.copy(override, tree / ".cargo")
    return build(tree, OTHERS / "target")


def count(program, containers):
    """The size of the containers, and the instructions of each stage for one translation of all."""
    out = program.with_suffix(".callgrind")
    help_text = subprocess.run([program, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    # Revisions without the option translate everything 15 times, which only takes longer.
    once = ["--passes", "1"] if "--passes" in help_text else []
    command = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}", program, *containers, *once]
    # The hashes of the standard library are random, those of the translator as well. The environment
    # moves the stack.
    text = subprocess.run(
        [str(word) for word in command], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean()
    ).stdout
    shaders, megabytes = re.search(r"corpus: (\d+) shaders, ([\d.]+) MB", text).groups()
    annotate = ["callgrind_annotate", "--inclusive=yes", "--auto=no", "--threshold=100", "--tree=caller", str(out)]
    tree = subprocess.run(annotate, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    found = stages(tree, int(shaders))
    # Again, and only what happens in translations is counted.
    command.insert(1, f"--toggle-collect={WHOLE}")
    subprocess.run([str(word) for word in command], check=True, capture_output=True, env=clean())
    found[ALLOCATIONS] = allocations(out, int(shaders))
    out.unlink()
    return int(shaders), float(megabytes) * 1000, found


def allocations(profile, shaders):
    """The allocations, those that grow included, of one translation of all."""
    names, calls, called = {}, {}, None
    for line in profile.read_text().splitlines():
        # `fn=(7) name` and `cfn=(7) name` name functions, the first time that each occurs.
        function = re.match(r"c?fn=\((\d+)\)(?: (.*))?$", line)
        if function:
            number, name = function.groups()
            names.setdefault(number, name)
            called = names[number] if line.startswith("cfn") else called
        elif line.startswith("calls="):
            calls[called] = calls.get(called, 0) + int(line[len("calls=") :].split()[0])
    made = sum(calls.get(name, 0) for name in ["malloc", "calloc", "realloc"])
    return made * shaders // max(calls.get(WHOLE, 1), 1)


def stages(tree, shaders):
    """The instructions of each stage, from callgrind's list of functions with their callers."""
    found, calls = {}, 0
    for line in tree.splitlines():
        # `1,234 (5.6%)  < file:function (7x) [object]` for a caller, ` * file:function [object]` for
        # the function that it calls. A function is listed once for each file of its lines.
        head, _, rest = line.partition(") ")
        rest = re.sub(r" \[[^]]*\]$", "", rest.strip())
        if rest.startswith("<"):
            called = re.search(r"\((\d[\d,]*)x\)$", rest)
            calls += int(called.group(1).replace(",", "")) if called else 0
        elif rest.startswith("*"):
            name = rest[rest.find(":") + 1 :].strip()
            if name in STAGES and calls and name not in found:
                cost = int(head.partition("(")[0].replace(",", ""))
                found[name] = cost * shaders // calls
            calls = 0
    if WHOLE not in found:
        sys.exit(f"instructions.py: callgrind has no function {WHOLE}; the build inlined it")
    return found


def clean():
    return {name: os.environ[name] for name in ["PATH", "HOME"] if name in os.environ}


def show(mine, other, revision):
    shaders, kilobytes, counts = mine
    print(f"{shaders} shaders, {kilobytes:.0f} KB of DXIL; instructions of one translation of each")
    print(f"{'':26}{'per shader':>12}{'per KB':>10}" + (f"{revision[:12]:>14}{'ratio':>8}" if other else ""))
    for name, label in STAGES.items():
        if name not in counts:
            continue
        line = f"{label:26}{counts[name] / shaders:12,.0f}{counts[name] / kilobytes:10,.0f}"
        if other and name in other[2]:
            before = other[2][name] / other[0]
            line += f"{before:14,.0f}{counts[name] / shaders / before:8.3f}"
        print(line)
    line = f"{ALLOCATIONS:26}{counts[ALLOCATIONS] / shaders:12,.0f}{counts[ALLOCATIONS] / kilobytes:10,.1f}"
    if other:
        before = other[2][ALLOCATIONS] / other[0]
        line += f"{before:14,.0f}{counts[ALLOCATIONS] / shaders / before:8.3f}"
    print(line)
    if other and other[0] != shaders:
        print(f"the revision translates {other[0]} of these shaders, so the ratios are of averages")


if __name__ == "__main__":
    main()
