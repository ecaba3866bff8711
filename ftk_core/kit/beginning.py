"""``ftk new``: creates the folder of a working bot, with a test and workflows that check it on GitHub and GitLab."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated

import typer

import ftk_core.kit
from ftk_core.games import UnknownGame, game
from ftk_core.kit.door import fail, out
from ftk_core.kit.house import house_bots
from ftk_core.kit.languages import LANGUAGES
from ftk_core.kit.names import BOT_NAME_RULE, is_bot_name

ELSEWHERE = {"github.yml": ".github/workflows/bot.yml", "gitlab.yml": ".gitlab-ci.yml"}
"""Target paths of templates whose real path begins with a dot, by template name."""
ENDING = ".txt"
"""Suffix of every template file, so that no tool treats it as one of our own sources."""
KEPT = Path(str(files(ftk_core.kit))) / "new"
BEGUN = tuple(name for name in LANGUAGES if (KEPT / name).is_dir())
"""Languages that have templates."""
beginning = typer.Typer()


class CannotBegin(ValueError):
    """Raised if the bot's folder cannot be created; the message names the problem and the remedy."""


@beginning.command()
def new(
    name: Annotated[str, typer.Argument(help="What the bot, and its folder, is called.")],
    game_name: Annotated[str, typer.Option("--game", metavar="GAME", help="A game of `ftk games`.")],
    lang: Annotated[str, typer.Option(help=f"{', '.join(BEGUN)}.")] = "python",
    into: Annotated[Path, typer.Option(help="Where the folder is made.")] = Path(),
) -> None:
    """Begin a bot: a folder with a program that plays at once, a test, and a workflow that checks and sends it."""
    try:
        folder = begin(name, game_name, lang, into)
    except (CannotBegin, UnknownGame) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or into}: {error.strerror or error}")
    out.print(f"{folder} plays {game_name}; next: ftk check {game_name} {folder}", markup=False)


def begin(name: str, game_name: str, language: str, into: Path) -> Path:
    """Write a bot's folder, all of it or nothing, and return it; raises CannotBegin, UnknownGame or OSError."""
    if not is_bot_name(name):
        raise CannotBegin(f"{name[:60]!r} cannot be: {BOT_NAME_RULE}")
    if language not in BEGUN:
        raise CannotBegin(f"--lang {language}: bots are begun in {', '.join(BEGUN)}")
    folder = into / name
    if folder.exists():
        raise CannotBegin(f"{folder} is there already; choose another name, or --into another folder")
    words = {
        "name": name,
        "game": game_name,
        "title": game(game_name).title,
        "language": LANGUAGES[language].title,
        "rivals": " ".join(list(house_bots(game_name))[:1] * (game(game_name).seats[0] - 1)),
    }
    draft = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=into))
    try:
        for place, text in _files(language):
            (draft / place).parent.mkdir(parents=True, exist_ok=True)
            (draft / place).write_text(Template(text).substitute(words), "utf-8")
        draft.chmod(0o755)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return folder


def _files(language: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each file within the bot's folder, and its template."""
    for path in sorted([*(KEPT / "all").iterdir(), *(KEPT / language).iterdir()]):
        place = path.name.removesuffix(ENDING)
        yield ELSEWHERE.get(place, place), path.read_text("utf-8")
