#!/usr/bin/env python3
"""Writes the bill of materials of a release: CycloneDX 1.5, as JSON, to standard output.

    scripts/sbom.py

It lists the crates that are compiled into the layer, the tool and the C library for Linux, with their
versions, licences and checksums, and what depends on what. The same sources give the same bytes.
"""

import json
import pathlib
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = "x86_64-unknown-linux-gnu"
# As scripts/package.sh builds them.
SHIPPED = {
    "dxil-layer": ["--no-default-features", "--features", "captures"],
    "dxil-translator": [],
    "dxil-translator-c": [],
}


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments, "--locked"], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def compiled():
    """Names and versions of the crates that what is shipped is compiled of."""
    options = ["--target", TARGET, "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]
    for package, features in SHIPPED.items():
        for line in cargo("tree", "--package", package, *features, *options).splitlines():
            name, version = line.split()[:2]
            yield name, version.removeprefix("v")


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, checksums):
    found = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
        # Older crates write OR as a slash.
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    if checksum := checksums.get((package["name"], package["version"])):
        found["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return found


def main():
    metadata = json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", TARGET))
    wanted = set(compiled())
    packages = {p["id"]: p for p in metadata["packages"] if (p["name"], p["version"]) in wanted}
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    checksums = {(p["name"], p["version"]): p.get("checksum") for p in lock["package"]}
    edges = {
        node["id"]: [
            d["pkg"] for d in node["deps"] if d["pkg"] in packages and any(k["kind"] != "dev" for k in d["dep_kinds"])
        ]
        for node in metadata["resolve"]["nodes"]
    }
    product = next(p for p in packages.values() if p["name"] == "dxil-layer")
    root = f"pkg:generic/vulkan-layer-dxil@{product['version']}"
    shipped = [reference(p) for p in packages.values() if p["name"] in SHIPPED]
    dependencies = [{"ref": root, "dependsOn": sorted(shipped)}] + [
        {"ref": reference(p), "dependsOn": sorted(reference(packages[d]) for d in edges[i])} for i, p in packages.items()
    ]
    product = {
        "type": "application",
        "bom-ref": root,
        "name": "vulkan-layer-dxil",
        "version": product["version"],
        "licenses": [{"expression": product["license"]}],
    }
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": product},
        "components": sorted((component(p, checksums) for p in packages.values()), key=lambda c: c["bom-ref"]),
        "dependencies": sorted(dependencies, key=lambda d: d["ref"]),
    }
    print(json.dumps(document, indent=1))


if __name__ == "__main__":
    main()
