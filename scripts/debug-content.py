#!/usr/bin/env python3
"""Compiles the shaders of tests/corpus and tests/content with debug information, and runs the tests that
compare what their translations say of the source with what the compiler wrote, and validate them.

Each shader is compiled at -O3 and -Od by the pinned compiler (scripts/get-dxc.sh) into FOLDER
(build/debug-content).
"""

import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/fixtures"))
import directives  # noqa: E402
import regenerate  # noqa: E402

DXC = ROOT / "build/dxc/dxc"


def programs():
    """The shaders: a source, a profile, an entry point, arguments and a name."""
    for source in sorted((regenerate.CORPUS / "src").glob("*.hlsl")):
        # Permutations differ in few lines.
        for name, profile, entry, arguments in list(directives.permutations(source))[:2]:
            yield source, profile, entry, list(arguments), f"{source.stem}.{name}"
    for source in sorted(regenerate.CONTENT.rglob("*.hlsl")):
        if not directives.is_fixture(source):
            continue
        fixture = directives.read(source)
        for stage in fixture.stages:
            # The pinned compiler has neither libraries with several entry points here nor newer models.
            if stage.spirv or stage.profile.startswith("lib_") or int(stage.profile.rpartition("_")[2]) >= 8:
                continue
            key = stage.key if isinstance(stage.key, str) else "_".join(map(str, stage.key))
            arguments = fixture.args + fixture.dxil_args + list(stage.defines)
            yield source, stage.profile, stage.entries[0], arguments, f"{source.parent.name}.{source.stem}.{key}"


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, LD_LIBRARY_PATH=str(DXC.parent))
    count = 0
    for source, profile, entry, arguments, name in programs():
        arguments = [argument for argument in arguments if argument not in ("-Od", "-O3")]
        for level in ("O3", "Od"):
            output = folder / f"{name}.{level}.dxil"
            command = [DXC, source.name, "-T", profile, "-E", entry, *arguments, f"-{level}", "-Zi", "-Qembed_debug"]
            # Some need optimisation to be valid.
            done = subprocess.run([*command, "-Fo", output], cwd=source.parent, env=environment, capture_output=True)
            count += done.returncode == 0
    print(f"{count} shaders in {folder}", flush=True)
    environment = dict(os.environ, DEBUG_CONTENT=str(folder))
    test = ["cargo", "test", "--quiet", "--test", "integration", "--package"]
    for arguments in (["dxil-translator", "--", "debug::content", "--nocapture"], ["dxil-validate", "--", "::debug_info"]):
        subprocess.run([*test, *arguments], cwd=ROOT, env=environment, check=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/debug-content", metavar="FOLDER")
main(parser.parse_args().folder.resolve())
