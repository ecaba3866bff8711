"""`ftk new` and `ftk new-game`: create a working bot or game from templates."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from gettext import gettext as _
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Annotated

import typer

import ftk_core.kit
from ftk_core.games import UnknownGameError, game, game_folder, list_games
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.client.http_client import RequestError, check_server
from ftk_core.kit.terminal_output import describe_os_error, fail, out
from ftk_core.kit.uploads.bot_names import BOT_NAME_RULE, is_bot_name
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.plugins.plugin_files import OWN_PACKAGE

TEMPLATE_TARGETS = {"github.yml": ".github/workflows/bot.yml", "gitlab.yml": ".gitlab-ci.yml"}
"""Template name -> path in the bot's folder, for files whose path begins with a dot."""
TEMPLATE_SUFFIX = ".txt"
"""Suffix of every template file, so that no tool treats a template as source code of this project."""
TEMPLATE_FOLDER = Path(str(files(ftk_core.kit))) / "new"
TEMPLATE_LANGUAGES = tuple(name for name in LANGUAGES if (TEMPLATE_FOLDER / name).is_dir())
"""Programming languages for which there are templates."""
EXAMPLE_SERVER = "https://ARENA"
"""Address of the arena in the README of a bot if FTK_SERVER is not set."""
beginning = typer.Typer()


class NewBotError(ValueError):
    """Raised if the folder of a new bot or game cannot be created."""


@beginning.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the bot and of its folder.")],
    game_name: Annotated[str, typer.Option("--game", metavar="GAME", help="Name of a game; `ftk games` lists them.")],
    lang: Annotated[str, typer.Option(help=f"{', '.join(TEMPLATE_LANGUAGES)}.")] = "python",
    into: Annotated[Path, typer.Option(help="Folder in which the new folder is created.")] = Path(),
    server: Annotated[
        str, typer.Option(envvar="FTK_SERVER", help="Address of the arena, written into the bot's README.")
    ] = "",
) -> None:
    """Create a bot: a folder with a program that already plays, a test, and a workflow that checks and uploads it."""
    try:
        folder = create_bot_folder(name, game_name, lang, into, check_server(server) if server else EXAMPLE_SERVER)
    except (NewBotError, UnknownGameError, RequestError) as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error, into))
    out.print(
        _("{folder} plays {game_name}; next: ftk check {game_name} {folder}").format(
            folder=folder, game_name=game_name
        ),
    )


def create_bot_folder(name: str, game_name: str, language: str, into: Path, server: str = EXAMPLE_SERVER) -> Path:
    """Create the folder of a new bot from templates, completely or not at all, and return its path.

    Raises NewBotError, UnknownGameError, OSError.
    """
    if not is_bot_name(name):
        raise NewBotError(
            _("{name} cannot be: {bot_name_rule}").format(name=repr(name[:60]), bot_name_rule=_(BOT_NAME_RULE))
        )
    if language not in TEMPLATE_LANGUAGES:
        raise NewBotError(
            _("--lang {language}: there are templates for {template_languages}").format(
                language=language, template_languages=", ".join(TEMPLATE_LANGUAGES)
            )
        )
    placeholders = {
        "name": name,
        "game": game_name,
        "title": game(game_name).title,
        "server": server,
        "language": LANGUAGES[language].title,
        "rivals": " ".join(list(list_built_in_bots(game_name))[:1] * (game(game_name).seats[0] - 1)),
        **_make_installation_lines(language),
    }
    return write_templates(into / name, _read_templates(language, game_name), placeholders)


def _make_installation_lines(language: str) -> dict[str, str]:
    """Return the lines of the workflows that install compiler and interpreter of a language, by placeholder."""
    if language == "python":  # the workflows have Python, which the kit needs
        return {"gitlab_packages": "", "github_packages": ""}
    row = LANGUAGES[language]
    packages = f"{row.package} {row.compiler.package if row.compiler else ''}".strip()
    return {
        "gitlab_packages": f"\n  - apt-get update && apt-get install -y --no-install-recommends {packages}",
        "github_packages": f"\n      - run: sudo apt-get update && sudo apt-get install -y {packages}",
    }


def write_templates(folder: Path, templates: Mapping[str, str], placeholders: Mapping[str, str]) -> Path:
    """Create a folder from templates, completely or not at all, and return its path.

    `templates` maps the path of each file to its text. Raises NewBotError, OSError.
    """
    if folder.exists():
        raise NewBotError(
            _("{folder} is there already; choose another name, or --into another folder").format(folder=folder)
        )
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for place, text in templates.items():
            (draft / place).parent.mkdir(parents=True, exist_ok=True)
            (draft / place).write_text(Template(text).safe_substitute(placeholders), "utf-8")
        draft.chmod(0o755)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return folder


def list_starters(game_name: str, language: str = "*") -> list[Path]:
    """Return the folders with a game's bot templates for one programming language, or for all by default."""
    return sorted((game_folder(game_name) / "starters").glob(language))


def _read_templates(language: str, game_name: str) -> dict[str, str]:
    """Return the templates of a new bot's files as a dict (path in the bot's folder -> text of the template).

    A game's own template replaces the general one of the same name.
    """
    folders = (TEMPLATE_FOLDER / "all", TEMPLATE_FOLDER / language, *list_starters(game_name, language))
    paths = [path for folder in folders for path in sorted(folder.glob(f"*{TEMPLATE_SUFFIX}"))]
    names = {path.name.removesuffix(TEMPLATE_SUFFIX): path for path in paths}
    return {TEMPLATE_TARGETS.get(name, name): path.read_text("utf-8") for name, path in names.items()}


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
    name: Annotated[str, typer.Argument(help="Name of the game in logs and commands, such as high_card.")],
    title: Annotated[str, typer.Option(help="Title of the game for readers; by default derived from the name.")] = "",
    into: Annotated[Path, typer.Option(help="Folder in which the new folder is created.")] = Path(),
) -> None:
    """Create a game: a package with rules that already work, two bots, pieces and a test. Install it to play it."""
    try:
        folder = create_game_folder(name, title, into)
    except NewBotError as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error, into))
    out.print(
        _("{folder} is a game; next: pip install -e '{folder}[dev]', then pytest --ftk-laws {name} {folder}").format(
            folder=folder, name=name
        ),
    )


def create_game_folder(name: str, title: str, into: Path) -> Path:
    """Create the folder of a new game from templates, completely or not at all, and return its path.

    Raises NewBotError, OSError.
    """
    _check_game_name(name)
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


def _check_game_name(name: str) -> None:
    """Raise NewBotError unless a new game can have this name."""
    if not GAME_NAME.fullmatch(name) or len(name) > MAX_NAME_CHARACTERS:
        raise NewBotError(
            _("{name} cannot be a game's name: use 1 to {most} small letters, digits and single underscores").format(
                name=repr(name[:60]), most=MAX_NAME_CHARACTERS
            )
        )
    if name in list_games():
        raise NewBotError(_("there is a game {name} already; choose another name").format(name=repr(name)))
    package = f"ftk_{name}"
    if package.replace("_", "-") == OWN_PACKAGE or find_spec(package):  # such as ftk_core, which pip would overwrite
        raise NewBotError(_("the package {package} exists already; choose another name").format(package=package))
