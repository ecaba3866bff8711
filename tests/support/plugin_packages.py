"""Packages of plug-ins, built and installed in folders of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bots.sandbox import bwrap, forkserver, language_runtimes
from frontend.drawing import rulebook
from ftk_core import games, i18n, plugins
from ftk_core.analysis import analysis_build_ids
from ftk_core.kit import plugin_piece_drawings, viewer_translations
from ftk_core.league import formats
from ftk_core.league.scoring import tiebreaks
from replays.replay_frame_cache import REEL_CACHE

CACHES: tuple[Callable[..., Any], ...] = (
    plugins.list_plugins,
    games.list_games,
    games.versions,
    games.build_of,
    analysis_build_ids.analysis_build_of,
    formats.list_formats,
    tiebreaks.list_tiebreaks,
    language_runtimes.create_helper_folder,
    bwrap._mounts,
    rulebook.read_rulebook,
    rulebook.list_sample_bots,
    plugin_piece_drawings.list_piece_files,
    plugin_piece_drawings.list_piece_modules,
    i18n.list_languages,
    viewer_translations.list_viewer_languages,
)
"""Cached functions whose results depend on the installed plug-ins. A process usually keeps its plug-ins."""
PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "league-rules"
version = "1.0"
[project.entry-points."ftk.formats"]
all_play_all = "league_rules:ALL_PLAY_ALL"
[project.entry-points."ftk.tiebreaks"]
early-bird = "league_rules:EARLY_BIRD"
[tool.setuptools]
py-modules = ["league_rules"]
"""

LEAGUE_RULES = """
from ftk_core.league.formats import LeagueFormat
from ftk_core.league.formats.group_round_robin_schedule import next_rotation_round, planned_rotation_rounds
from ftk_core.league.scoring.tiebreaks import TieBreak

ALL_PLAY_ALL = LeagueFormat(next_round=next_rotation_round, planned=planned_rotation_rounds, foreseen=True)
EARLY_BIRD = TieBreak(
    slug="early-bird", name="Early bird", what="Lower entry numbers first", kin="none",
    values=lambda ledger, equals: {entry: -entry for entry in equals},
)
"""


def write_league_rules(folder: Path) -> Path:
    """Write the package of a plug-in with the format ``all_play_all`` and the tie-break ``early-bird``."""
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "league_rules.py").write_text(LEAGUE_RULES)
    return folder


def install_packages(target: Path, packages: Sequence[Path]) -> Path:
    """Install packages in a folder with pip, without network, and return the folder."""
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, *map(str, packages)], check=True)
    return target


def register_entry_point(site: Path, name: str, line: str, group: str = "ftk.games") -> None:
    """Write the metadata of an installed package `name` whose entry point in `group` is `line`."""
    metadata = site / f"{name}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{line}\n")


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Put an installed folder on the path of imports for a while, as if the process had been started with it."""
    before = set(sys.modules)
    sys.path.append(str(folder))
    _forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
        _forget()


def _forget() -> None:
    forkserver.close_server()
    REEL_CACHE.clear()
    for function in CACHES:
        function.cache_clear()  # type: ignore[attr-defined]  # each is decorated by functools.cache
