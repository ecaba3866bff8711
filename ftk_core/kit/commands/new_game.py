"""``ftk new-game``: create the package of a game that plays at once, with bots, pieces and a test."""

from __future__ import annotations

import re
from gettext import gettext as _
from pathlib import Path
from typing import Annotated

import typer

from ftk_core.games import list_games
from ftk_core.kit.commands.new_bot import TEMPLATE_FOLDER, TEMPLATE_SUFFIX, NewBotError, beginning, write_templates
from ftk_core.kit.entry_point import describe_os_error, fail, out

GAME_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
MAX_NAME_CHARACTERS = 30
PACKAGE_FILES = {
    "package.py": "__init__.py",
    "rules.py": "rules.py",
    "RULES.md": "RULES.md",
    "random_bot.py": "built_in_bots/random_bot.py",
    "careful_bot.py": "built_in_bots/careful_bot.py",
    "pieces.js": "pieces/pieces.js",
}
"""Template name -> path in the game's package; the other templates belong to the folder around it."""


@beginning.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(help="What the game is called in logs and commands, such as high_card.")],
    title: Annotated[str, typer.Option(help="The title on its box; by default made from the name.")] = "",
    into: Annotated[Path, typer.Option(help="Where the folder is made.")] = Path(),
) -> None:
    """Begin a game: a package with rules that play at once, two bots, pieces and a test, found once it is installed."""
    try:
        folder = create_game_folder(name, title, into)
    except NewBotError as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error, into))
    out.print(
        _("{folder} is a game; next: pip install -e {folder}, then pytest --ftk-laws {name} {folder}").format(
            folder=folder, name=name
        ),
        markup=False,
    )


def create_game_folder(name: str, title: str, into: Path) -> Path:
    """Create the folder of a new game from templates, completely or not at all, and return its path.

    Raises NewBotError or OSError.
    """
    if not GAME_NAME.fullmatch(name) or len(name) > MAX_NAME_CHARACTERS:
        raise NewBotError(
            _("{name} cannot be a game's name: use 1 to {most} small letters, digits and single underscores").format(
                name=repr(name[:60]), most=MAX_NAME_CHARACTERS
            )
        )
    if name in list_games():
        raise NewBotError(_("there is a game {name} already; choose another name").format(name=repr(name)))
    title = title or name.replace("_", " ").capitalize()
    if re.search(r'["\\\n]', title):
        raise NewBotError(_("the title {title} has quotes or backslashes; leave them out").format(title=repr(title)))
    distribution = name.replace("_", "-")
    targets = {template: f"ftk_{name}/{path}" for template, path in PACKAGE_FILES.items()}
    targets["test_rules.py"] = "tests/test_rules.py"
    texts = {
        path.name.removesuffix(TEMPLATE_SUFFIX): path.read_text("utf-8")
        for path in sorted((TEMPLATE_FOLDER / "game").iterdir())
    }
    placeholders = {"name": name, "title": title, "distribution": distribution}
    templates = {targets.get(template, template): text for template, text in texts.items()}
    return write_templates(into / f"ftk-{distribution}", templates, placeholders)
