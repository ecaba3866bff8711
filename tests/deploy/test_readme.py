"""The commands in the README, typed as they are into a fresh clone."""

from __future__ import annotations

import compileall
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.arena import Arena
from tests.support.sources import list_files
from tests.support.waiting import wait_for

README = Path("README.md")
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
DRY = {"make": "make -n"}
"""`make` runs dry, because its targets run elsewhere and would run this test again."""
ALONE = {
    "PIP_TARGET": "kit", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"
}  # fmt: skip
"""Environment for `pip` with a target folder and without a package index. Its value 0 means "no build isolation"."""


def blocks() -> list[list[str]]:
    """Return the commands of each block, without comments."""
    found = [
        [line.partition("  #")[0].strip() for line in body.splitlines()] for body in FENCED.findall(README.read_text())
    ]
    return [[line for line in lines if line and not line.startswith("#")] for lines in found]


def block_with(word: str) -> list[str]:
    (found,) = [lines for lines in blocks() if any(line.startswith(word) for line in lines)]
    return found


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh clone with its environment and a bot."""
    folder = tmp_path_factory.mktemp("clone")
    for file in list_files():
        if file.is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, folder / file)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    for made in Path("frontend/locale").rglob("*.mo"):  # message catalogues, which the setup compiles
        shutil.copy(made, folder / made)
    # the user nobody, as which root runs tests, cannot write bytecode
    compileall.compile_dir(folder, quiet=2, rx=re.compile(r"\.venv"))
    (folder / "mybot.py").write_bytes(list_built_in_bots("for_the_king")["greedy"].read_bytes())
    return folder


def typed(clone: Path, line: str, **more: str) -> str:
    """Run a line in the clone and return its output."""
    first = line.split(maxsplit=1)[0]
    line = line.replace(first, DRY.get(first, first), 1)
    away = ("DATABASE_URL", "FTK_VAR", "CELERY_BROKER_URL", "DJANGO_SETTINGS_MODULE")
    kept = {name: value for name, value in os.environ.items() if name not in away}
    env = {**kept, "PATH": f"{Path(sys.prefix, 'bin')}:{kept['PATH']}", "PYTHONPATH": str(clone), **more}
    done = subprocess.run(line, shell=True, cwd=clone, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def arena(clone: Path) -> Iterator[Arena]:
    arena = Arena(clone / "var").wait_until_open()
    yield arena
    arena.process.terminate()
    arena.process.wait(60)
    arena.wait_until_gone()


def test_every_command_block_of_the_readme_is_run_by_a_test() -> None:
    words = {line.split()[0] for lines in blocks() for line in lines}
    assert words == {"make", "pip", "ftk", ".venv/bin/python"}


@pytest.mark.nightly
def test_the_make_targets_of_the_readme_work(clone: Path) -> None:
    for line in block_with("make"):
        assert typed(clone, line)


@pytest.mark.nightly
def test_the_commands_of_the_readme_for_organisers_and_authors_work(clone: Path, arena: Arena) -> None:
    said = {}
    for line in block_with(".venv/bin/python"):
        if " enter " in line:  # upload the bots with the author's token before they are entered
            (token,) = [text.strip() for command, text in said.items() if " token " in command]
            for bot in ("mybot", "yourbot"):
                (clone / f"{bot}.py").write_bytes((clone / "mybot.py").read_bytes())
                server = {"FTK_TOKEN": token, "FTK_SERVER": f"http://127.0.0.1:{arena.port}"}
                assert "active" in typed(clone, f"ftk upload for_the_king ./{bot}.py --bot {bot}", **server)
        said[line] = typed(clone, line)
    wait_for(lambda: "autumn: closed" in typed(clone, line), "the league is over", 120)
    typed(clone, ".venv/bin/python manage.py export autumn --to night.tar")
    for line in block_with("ftk"):
        told = typed(clone, line, **ALONE)
        if " verify " in line:
            assert "ok: " in told
