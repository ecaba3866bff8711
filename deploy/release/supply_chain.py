"""Bills of materials with licences, audits of known vulnerabilities, and reproducible wheels.

``python -m deploy.release.supply_chain sbom|audit|wheel [--to FOLDER]``; `make sbom`, `make audit` and `make wheel`
do the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deploy.release.dependency_licenses import list_licenses, list_refused
from deploy.release.nodejs_finder import find_installed, install_from_wheel

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("server", "dev")
UI = ROOT / "frontend" / "ui"
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_{}(sys.argv[1]))"


class ReleaseBuildError(RuntimeError):
    """Raised when an audit cannot run or a release file cannot be built; the message gives the reason."""


def run_command(
    words: Sequence[str], folder: Path = ROOT, env: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """Run a tool; return its exit code, stdout and stderr."""
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, check=False, umask=0o022
    )
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def run_npm(*words: str) -> tuple[int, str, str]:
    """Run an npm command on the front end's lock file. Return exit code, stdout and stderr."""
    path = f"{find_installed() or install_from_wheel()}:{os.environ['PATH']}"
    npm_program = shutil.which("npm", path=path) or "npm"
    return run_command([npm_program, *words, "--package-lock-only"], UI, {"PATH": path})


def write_sboms(folder: Path) -> list[Path]:
    """Write bills of materials (CycloneDX) and a list of licences. Return all paths.

    Raises ReleaseBuildError if a tool fails or a licence is not allowed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bills = {}
    for lock in LOCKS:
        file, words = f"deploy/locks/{lock}.txt", ("--output-reproducible", "--of", "JSON", "--sv", "1.6")
        bills[lock] = run_command([sys.executable, "-m", "cyclonedx_py", "requirements", *words, file])
    bills["npm"] = run_npm("sbom", "--sbom-format", "cyclonedx")
    written = []
    for name, (code, bill, why) in bills.items():
        if code:
            raise ReleaseBuildError(f"no bill of materials for {name}: {why.strip()[-300:]}")
        written.append(folder / f"{name}.cdx.json")
        written[-1].write_text(bill)
    return [*written, write_licenses(folder)]


def write_licenses(folder: Path) -> Path:
    """Write each locked package's licence into ``licenses.txt``; raises ReleaseBuildError if one is not allowed."""
    if refused := list_refused(ROOT):
        names = "; ".join(f"{each.package} {each.version}: {each.expression or 'unknown'}" for each in refused)
        raise ReleaseBuildError(f"licences that deploy/release/dependency_licenses.py does not allow: {names}")
    (folder / "licenses.txt").write_text("".join(f"{' '.join(each)}\n" for each in list_licenses(ROOT)))
    return folder / "licenses.txt"


def audit_packages() -> tuple[list[str], list[str]]:
    """Return one line for each known vulnerability, and one for each failed audit.

    Raises ReleaseBuildError if pip-audit is missing.
    """
    if find_spec("pip_audit") is None:
        raise ReleaseBuildError("pip-audit is not installed; run `make dev`")
    found, unasked = list[str](), list[str]()
    for lock in LOCKS:
        words = (
            "--no-deps",
            "--disable-pip",
            "--progress-spinner",
            "off",
            "-f",
            "json",
            "-r",
            f"deploy/locks/{lock}.txt",
        )
        told = _parse_json(run_command([sys.executable, "-m", "pip_audit", *words]))
        if "dependencies" in told:
            found += [
                f"{lock}: {row['name']} {row['version']}: {flaw['id']}, mended in {flaw['fix_versions']}"
                for row in told["dependencies"]
                for flaw in row.get("vulns", ())
            ]
        else:
            unasked.append(f"{lock}.txt ({told['why']})")
    told = _parse_json(run_npm("audit", "--json"))
    if "vulnerabilities" in told:
        found += [f"npm: {name}: {row['severity']}" for name, row in told["vulnerabilities"].items()]
    else:
        unasked.append(f"package-lock.json ({told.get('message') or told['why']})")
    return found, unasked


def _parse_json(done: tuple[int, str, str]) -> dict[str, Any]:
    """Return a tool's JSON output as a dict."""
    # Its key ``why`` is the last line of stderr, to explain a failure.
    _, out, err = done
    why = {"why": (err.strip().splitlines() or ["it said nothing"])[-1][:200]}
    try:
        told = json.loads(out)
    except ValueError:
        return why
    return {**why, **told} if isinstance(told, dict) else why


def build_wheel(folder: Path) -> Path:
    """Build the wheel of the `ftk` tool from the last commit, and write its hash into SHA256SUMS.

    Raises ReleaseBuildError.
    """
    wheel = build_from_commit("wheel", folder)
    (folder / "SHA256SUMS").write_text(f"{sha256(wheel.read_bytes()).hexdigest()}  {wheel.name}\n")
    return wheel


def build_from_commit(kind: str, folder: Path) -> Path:
    """Build a reproducible ``wheel`` or ``sdist`` from the last commit and return its path.

    Raises ReleaseBuildError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        source = Path(name) / "source"
        packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=BytesIO(packed)) as tar:
            tar.extractall(source)  # noqa: S202 - the archive is made by git above
        for path in source.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)  # a wheel stores file modes, which git takes from the umask
        when = run_command(["git", "log", "-1", "--format=%ct", "HEAD"])[1].strip()
        return Path(shutil.copy(build_from_source(kind, source, Path(name) / "out", SOURCE_DATE_EPOCH=when), folder))


def build_from_source(kind: str, source: Path, folder: Path, **env: str) -> Path:
    """Build a ``wheel`` or ``sdist`` of a source tree and return its path. Raises ReleaseBuildError."""
    code, out, err = run_command([sys.executable, "-c", BUILD.format(kind), str(folder)], source, env)
    if code:
        raise ReleaseBuildError(f"the {kind} was not built: {err.strip()[-300:]}")
    return folder / out.splitlines()[-1]


def main(words: Sequence[str] | None = None) -> int:
    """Run ``sbom``, ``audit`` or ``wheel``. Return 1 for known vulnerabilities, 2 for a failure.

    With ``--allow-offline``, an audit without a network succeeds.
    """
    parser = argparse.ArgumentParser(prog="deploy.release.supply_chain", description=__doc__)
    parser.add_argument("what", choices=("sbom", "audit", "wheel"))
    parser.add_argument("--to", type=Path, default=ROOT / "dist")
    parser.add_argument("--allow-offline", action="store_true", help="an audit that reaches no registry succeeds")
    said = parser.parse_args(words)
    try:
        if said.what == "audit":
            return print_audit(allow_offline=said.allow_offline)
        written = write_sboms(said.to) if said.what == "sbom" else [build_wheel(said.to)]
        sys.stdout.writelines(f"{file}\n" for file in written)
    except ReleaseBuildError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def print_audit(*, allow_offline: bool) -> int:
    """Audit all lock files, print the results, and return the exit code; see `main`."""
    vulnerabilities, unasked = audit_packages()
    sys.stdout.write("\n".join([*vulnerabilities, f"Known vulnerabilities: {len(vulnerabilities)}"]) + "\n")
    if unasked:
        sys.stderr.write(f"These lock files were not audited: {'; '.join(unasked)}\n")
    return 1 if vulnerabilities else 2 if unasked and not allow_offline else 0


if __name__ == "__main__":
    sys.exit(main())
