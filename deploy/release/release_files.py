"""Files of a release: wheel, source distribution, handbook, bills of materials, notes and checksums.

``python -m deploy.release.release_files [--to FOLDER]``; `make release` does the same. `make image` builds the image.
"""

from __future__ import annotations

import argparse
import re
import sys
import tarfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from deploy.release.supply_chain import ROOT, ReleaseBuildError, build_from_commit, run_command, write_sboms

NOTES = "NOTES.md"
VERSION_FILE, CHANGELOG = "ftk_core/__init__.py", "CHANGELOG.md"


def read_version(source: str) -> str:
    """Return the version in the text of `ftk_core/__init__.py`; raises ReleaseBuildError if it has none."""
    if not (found := re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)):
        raise ReleaseBuildError(f"{VERSION_FILE} has no __version__")
    return found[1]


def check_tag(version: str, tags: Sequence[str]) -> None:
    """Raise ReleaseBuildError if a commit is tagged with another version, such as ``v1.2.0``, but not with `version`.

    `tags` contains all tags of the commit.
    """
    versions = [tag for tag in tags if re.fullmatch(r"v\d.*", tag)]
    if versions and f"v{version}" not in versions:
        raise ReleaseBuildError(
            f"the commit has the tag {versions[0]}, but {VERSION_FILE} the version {version}: change one of them"
        )


def check_changelog(changelog: str, version: str, tags: Sequence[str]) -> None:
    """Raise ReleaseBuildError if a commit with the tag of `version` has no section of the changelog for it."""
    if f"v{version}" in tags and f"\n## [{version}] - " not in changelog:
        raise ReleaseBuildError(
            f"{CHANGELOG} has no section [{version}]: rename [Unreleased], and add the date and a new [Unreleased]"
        )


def read_notes(changelog: str, version: str) -> str:
    """Return the changelog's section of a version, or else the unreleased changes."""
    sections = dict(re.findall(r"^## \[(.+?)\][^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL))
    return str(sections.get(version, sections["Unreleased"])).strip() + "\n"


def pack_folder(folder: Path, to: Path) -> Path:
    """Pack a folder into a reproducible tar file."""
    # The top folder has the name of the tar file, so that several versions can be unpacked side by side.
    with tarfile.open(to, "w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{to.stem}/{path.relative_to(folder)}")
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                tar.addfile(entry, file)
    return to


def write_checksums(folder: Path) -> Path:
    """Write the SHA-256 digests of a folder's files into ``SHA256SUMS``, for `sha256sum --check`; return its path."""
    sums = folder / "SHA256SUMS"
    sums.unlink(missing_ok=True)
    files = sorted(path for path in folder.iterdir() if path.is_file())
    sums.write_text("".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files))
    return sums


def build_release(folder: Path) -> Path:
    """Build a release of the last commit in an empty folder. Return the checksum file; raises ReleaseBuildError."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ReleaseBuildError(f"{folder} is not empty: remove it first")
    version = read_version(run_command(["git", "show", f"HEAD:{VERSION_FILE}"])[1])
    tags = run_command(["git", "tag", "--points-at", "HEAD"])[1].split()
    check_tag(version, tags)
    changelog = run_command(["git", "show", f"HEAD:{CHANGELOG}"])[1]
    check_changelog(changelog, version, tags)
    for kind in ("wheel", "sdist"):
        build_from_commit(kind, folder)
    handbook = ROOT / "dist" / "handbook"
    if not (handbook / "index.html").is_file():
        raise ReleaseBuildError("the handbook is not built: run `make docs` first")
    pack_folder(handbook, folder / f"handbook-{version}.tar")
    write_sboms(folder)
    (folder / NOTES).write_text(read_notes(changelog, version))
    return write_checksums(folder)


def main(words: Sequence[str] | None = None) -> int:
    """Build a release and return the exit code: 0, or 2 with the reason on stderr."""
    parser = argparse.ArgumentParser(prog="deploy.release.release_files", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "dist" / "release")
    try:
        sys.stdout.write(build_release(parser.parse_args(words).to).read_text())
    except ReleaseBuildError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
