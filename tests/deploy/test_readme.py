"""What README tells people to type does what it says, typed as it stands into a fresh clone."""

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

from ftk_core.kit.house import house_bots
from tests.support.arena import Arena
from tests.support.sources import files
from tests.support.waiting import wait_for

README = Path("README.md")
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
DRY = {"make": "make -n"}
"""These are shown to run elsewhere: what `make` would do is only read here, or this test would run itself."""
ALONE = {
    "PIP_TARGET": "kit", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"
}  # fmt: skip
"""`pip` installs into a folder of its own and asks no index; its word for "no isolation" is 0."""


def blocks() -> list[list[str]]:
    """Return the commands of each block, without what is said behind them."""
    found = [
        [line.partition("  #")[0].strip() for line in body.splitlines()] for body in FENCED.findall(README.read_text())
    ]
    return [[line for line in lines if line and not line.startswith("#")] for lines in found]


def block_with(word: str) -> list[str]:
    (found,) = [lines for lines in blocks() if any(line.startswith(word) for line in lines)]
    return found


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What somebody has who has cloned this and made the environment, with a bot."""
    folder = tmp_path_factory.mktemp("clone")
    for file in files():
        if file.is_file():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, folder / file)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    for made in Path("frontend/locale").rglob("*.mo"):  # what setting up compiles
        shutil.copy(made, folder / made)
    compileall.compile_dir(folder, quiet=2, rx=re.compile(r"\.venv"))  # root, as nobody, cannot keep what it compiles
    (folder / "mybot.py").write_bytes(house_bots("for_the_king")["greedy"].read_bytes())
    return folder


def typed(clone: Path, line: str, **more: str) -> str:
    """Type a line in the clone and return what it says."""
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
    arena = Arena(clone / "var").opened()
    yield arena
    arena.process.terminate()
    arena.process.wait(60)
    arena.gone()


def test_every_block_of_commands_is_one_that_is_tried() -> None:
    words = {line.split()[0] for lines in blocks() for line in lines}
    assert words == {"make", "pip", "ftk", ".venv/bin/python"}


@pytest.mark.slow
def test_what_make_is_told_it_knows(clone: Path) -> None:
    for line in block_with("make"):
        assert typed(clone, line)


@pytest.mark.slow
def test_the_organisers_commands_and_then_the_authors(clone: Path, arena: Arena) -> None:
    said = {}
    for line in block_with(".venv/bin/python"):
        if " enter " in line:  # by now the bots have been sent with the author's token
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
