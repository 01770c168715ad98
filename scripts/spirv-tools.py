#!/usr/bin/env python3
"""Compiles the C++ of the crate spirv-tools-sys in a twentieth of its build script's time.

    scripts/spirv-tools.py [--override]

Nearly all of that time goes into headers, which every one of its 200 files includes again, and into
the optimiser, which nothing here calls. This script leaves the optimiser out, joins the other files
into a few, builds build/spirv-tools/VERSION/libspirv-tools.a from them, and tells cargo to link
that library instead of running the build script (an override in .cargo/config.toml, which git
ignores; The Cargo Book, "Overriding Build Scripts"). Nothing depends on it: without the override,
cargo runs the build script. A second run finds the library and does nothing. With --override it
only tells cargo, whose commands that link nothing can then run beside it.

Two files that define the same name cannot be joined. A search for definitions keeps them apart, and
joined files that do not compile are compiled one by one.
"""

import concurrent.futures
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Cargo's configuration, if it begins with the mark.
CONFIG = ROOT / ".cargo" / "config.toml"
MARK = "# Written by scripts/spirv-tools.py.\n"
# The most bytes of joined files: few enough that two compilers have equal work.
JOINED_BYTES = 700_000
# A constant or function at namespace scope that other files may define as well.
DEFINITION = re.compile(
    r"^(?:static |inline )*(?:constexpr|const)\s+[\w:<>]+(?:\s+const)?\s+(k\w+)\s*="
    r"|^(?:bool|uint32_t|[A-Z]\w+\*?)\s+(\w+)\(",
    re.MULTILINE,
)
# What the crate has and does not build: parts that options of SPIRV-Tools' own build add.
BY_OPTION = ["mimalloc.cpp", "pch_source.cpp"]
# As the build script of the crate, without its warnings. The validator compiled with -O2 saves a
# second of a run of the tests, and costs fifteen.
FLAGS = ["-std=c++17", "-O1", "-fno-exceptions", "-fno-rtti", "-fPIC", "-ffunction-sections", "-fdata-sections"]
FLAGS += ["-w", "-DSPIRV_CHECK_CONTEXT", "-DSPIRV_LINUX"]
INCLUDE = ["spirv-tools", "spirv-tools/include", "generated", "spirv-headers/include"]
INCLUDE += ["spirv-headers/include/spirv/unified1"]


def main():
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    packages = json.loads(metadata.stdout)["packages"]
    package = next(package for package in packages if package["name"] == "spirv-tools-sys")
    crate = pathlib.Path(package["manifest_path"]).parent
    folder = ROOT / "build" / "spirv-tools" / package["version"]
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        override(folder)
        library = folder / "libspirv-tools.a"
        if "--override" in sys.argv or library.exists():
            return
        try:
            build(crate, folder, library)
        except BaseException:
            no_override()
            raise


def build(crate, folder, library):
    """Compiles the crate's C++ into a static library."""
    source = crate / "spirv-tools" / "source"
    core = [file for place in (source, source / "util") for file in sorted(place.glob("*.cpp"))]
    core = [file for file in core if file.name not in BY_OPTION]
    groups = join(core) + join(sorted((source / "val").glob("*.cpp")))
    objects = folder / "objects"
    shutil.rmtree(objects, ignore_errors=True)
    objects.mkdir()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = list(pool.map(lambda group: compile_group(crate, objects, *group), enumerate(groups)))
    new = library.with_suffix(".new")
    new.unlink(missing_ok=True)
    subprocess.run(["ar", "crs", new, *(file for files in compiled for file in files)], check=True)
    shutil.rmtree(objects)
    new.rename(library)


def join(files):
    """Groups of files that define no name twice, the largest group first."""
    groups = []
    for file in files:
        text = file.read_text()
        names = {constant or function for constant, function in DEFINITION.findall(text)}
        for group in groups:
            if not group["names"] & names and group["bytes"] < JOINED_BYTES:
                break
        else:
            group = {"files": [], "names": set(), "bytes": 0}
            groups.append(group)
        group["files"].append(file)
        group["names"] |= names
        group["bytes"] += len(text)
    return [group["files"] for group in groups]


def compile_group(crate, objects, number, files):
    """The object files of joined files: one, or one for each file if they do not compile together."""
    joined = objects / f"{number}.cpp"
    joined.write_text("".join(f'#include "{file}"\n' for file in files))
    if compile_file(crate, joined, joined.with_suffix(".o"), quiet=len(files) > 1):
        return [joined.with_suffix(".o")]
    apart = [(file, objects / f"{number}.{index}.o") for index, file in enumerate(files)]
    if len(files) == 1 or not all(compile_file(crate, *pair, quiet=False) for pair in apart):
        sys.exit(f"spirv-tools.py: {files[0]} and those joined to it do not compile")
    return [object for _, object in apart]


def compile_file(crate, file, object, quiet):
    include = [f"-I{crate / folder}" for folder in INCLUDE]
    stderr = subprocess.DEVNULL if quiet else None
    return subprocess.run(["g++", "-c", *FLAGS, *include, file, "-o", object], stderr=stderr).returncode == 0


def no_override():
    """Lets cargo run the build script."""
    if CONFIG.read_text().startswith(MARK):
        CONFIG.unlink()


def override(folder):
    """Tells cargo to link the library, unless somebody has a configuration of their own."""
    host = subprocess.run(["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout
    triple = re.search(r"^host: (.*)$", host, re.MULTILINE)[1]
    text = f"""{MARK}[target.{triple}.spirv-tools]
rustc-link-lib = ["static=spirv-tools", "stdc++"]
rustc-link-search = [{json.dumps(str(folder))}]
"""
    found = CONFIG.read_text() if CONFIG.exists() else MARK
    if not found.startswith(MARK):
        print(f"spirv-tools.py: {CONFIG} exists, and is left as it is", file=sys.stderr)
    elif found != text:
        CONFIG.parent.mkdir(exist_ok=True)
        CONFIG.write_text(text)


if __name__ == "__main__":
    main()
