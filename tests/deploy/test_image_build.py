"""`deploy/container/build`: the image holds the files of the repository, and no secret of the operator."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "deploy/container/README.md").read_text()
MMDEBSTRAP = '#!/bin/sh\nfor word; do :; done\n: >"$word"\necho made >>"$FILES.made"\n'
BUILDAH = """#!/bin/sh
for word; do :; done
case "$*" in
    *" build "*) (cd "$word/source" && find . -type f | sort >"$FILES") ;;
    *) : >"$(echo "$word" | cut -d: -f2)" ;;
esac
"""
"""Script that records the files of the build context and writes an empty archive."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return the folder of a repository with the build script, and programs that build nothing."""
    folder = tmp_path / "repository"
    for name in ("deploy/container/build", "ftk_core/__init__.py", ".gitignore"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    (tmp_path / "bin").mkdir()
    for name, text in (("mmdebstrap", MMDEBSTRAP), ("buildah", BUILDAH)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    return folder


def list_image_files(repository: Path) -> list[str]:
    """Return the files that the build script copies into the image."""
    files = repository.parent / "files"
    env = {**os.environ, "PATH": f"{repository.parent / 'bin'}:{os.environ['PATH']}", "FILES": str(files)}
    command = [repository / "deploy/container/build", "--to", repository.parent / "image"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return files.read_text().split()


@pytest.mark.slow
def test_the_image_contains_only_files_that_git_tracks(repository: Path) -> None:
    (repository / "notes.txt").write_text("a secret")
    (repository / "deploy/container/database-password").write_text("a secret")
    assert list_image_files(repository) == ["./.gitignore", "./deploy/container/build", "./ftk_core/__init__.py"]


@pytest.mark.slow
def test_an_image_is_built_on_a_new_debian_system_if_the_last_one_is_older_than_a_day(repository: Path) -> None:
    made, system = repository.parent / "files.made", repository.parent / "image/system.tar"
    for seconds_ago, count in ((0, 1), (0, 1), (2 * 24 * 3600, 2)):
        if system.exists():
            os.utime(system, (time.time() - seconds_ago,) * 2)
        list_image_files(repository)
        assert made.read_text().splitlines() == ["made"] * count


def test_git_ignores_every_secret_file_that_the_container_readme_names() -> None:
    named = re.findall(r"--(?:from-env-file|from-file|cert|key)=(\S+)", README)
    assert len(named) == 4
    named += [f"deploy/container/{name}" for name in ("arena.env", "broker.env", "database-password", "signing-key")]
    done = subprocess.run(["git", "check-ignore", *named], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == named
