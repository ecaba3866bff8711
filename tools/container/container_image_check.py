"""Test that plays the demo league in the container image.

Usage: ``python -m tools.container.container_image_check dist/image/image.tar``.
"""
# The image runs as under a kubelet: read-only root, no capability, no network, seccomp profile. pytest cannot do this:
# started by root, it enters a user namespace, in which the sandbox of an ordinary user cannot be tested.

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tools.container import seccomp_profile
from tools.container.container_runtime_emulator import run

ENV = {"PATH": "/opt/ftk/.venv/bin:/usr/bin:/bin", "FTK_VAR": "/var/lib/ftk", "HOME": "/tmp", "LANG": "C.UTF-8"}
TRY = """
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[1:]):
    assert libc.syscall(number, 0, 0, 0, 0, 0) == -1 and ctypes.get_errno() == errno.EPERM, number
try:
    open("/opt/ftk/written", "w")
except OSError as error:
    assert error.errno == errno.EROFS, error
else:
    sys.exit("the root can be written to")
"""
REFUSED = ("keyctl", "bpf", "perf_event_open", "init_module", "ptrace", "io_uring_setup", "setns")


def _blob(layout: Path, descriptor: dict[str, Any]) -> Path:
    return layout / "blobs" / descriptor["digest"].replace(":", "/")


def unpack(image: Path, layout: Path, root: Path) -> None:
    """Extract the layers of an OCI image archive into `root`."""
    # Markers of deleted files (whiteouts) are ignored, because the layers of this project's image delete no files.
    with tarfile.open(image) as archive:
        archive.extractall(layout, filter="data")
    index = json.loads((layout / "index.json").read_text())
    manifest = json.loads(_blob(layout, index["manifests"][0]).read_text())
    for layer in manifest["layers"]:
        subprocess.run(["tar", "-xf", str(_blob(layout, layer)), "-C", str(root)], check=True)


def _expect(said: subprocess.CompletedProcess[str], *words: str) -> None:
    if said.returncode or not all(re.search(word, said.stdout) for word in words):
        sys.exit(f"exit code {said.returncode}, wanted {words}:\n{said.stdout[-3000:]}\n{said.stderr[-3000:]}")


def main(words: list[str]) -> int:
    """Play the demo league in the image. Exit with an error unless every match log is valid."""
    with TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        layout, root, var = place / "layout", place / "root", place / "var"
        for folder in (layout, root, var):
            folder.mkdir(mode=0o755)
        unpack(Path(words[0]), layout, root)
        resolve = seccomp_profile.load_libseccomp().seccomp_syscall_resolve_name
        numbers = [str(resolve(call.encode())) for call in REFUSED]
        _expect(run(root, var, ENV, ["python", "-c", TRY, *numbers]))
        sys.stdout.write(f"refused: {', '.join(REFUSED)}, writing to the root\n")
        begun = time.monotonic()
        played = run(root, var, ENV, ["python", "manage.py", "up", "--exit-after-demo"])
        _expect(played, "Bots are contained by: bwrap\n", r"\b(\d+) of \1 logs verified")
        sys.stdout.write(f"Bots are contained by: bwrap\n{played.stdout.rstrip().splitlines()[-1].strip()}\n")
        sys.stdout.write(f"the demo took {time.monotonic() - begun:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
