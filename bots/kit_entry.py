"""Entry point ``ftk.cages``: the sandbox for `ftk check`, without Django."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bots.cage import Cage, forkserver
from bots.cage.inside.nobody import step_down
from bots.cage.layout import lay_out_bot
from bots.cage.probe import probe
from bots.cage.runtime import CageUnavailable
from bots.cage.spawn import TIERS, caged
from ftk_core.kit.archive import Upload
from ftk_core.kit.holding import AUTO, FREELY, NotStarted
from ftk_core.kit.pipe import PipePlayer

REMEDY = f"deploy/CAGE.md says what each needs; {FREELY}"


@contextmanager
def hold(tier: str, name: str, upload: Upload) -> Iterator[tuple[str, PipePlayer]]:
    """Start the bot as in a league's match and yield the sandbox backend and the player.

    The backend is `tier`, or else the one that BOT_CAGE names, or else the first that holds. There is no cgroup,
    which needs a service. All files are deleted at the end. Raises NotStarted, BuildFailed, OSError.
    """
    _be_nobody()
    with TemporaryDirectory(prefix="ftk-cage-") as folder:
        try:
            cage = _cage(tier, Path(folder))
            bot = lay_out_bot(Path(folder) / "bot", upload.command, lambda: upload.files)
            with caged(cage, name, bot, upload.command) as player:
                yield cage.tier, player
        except CageUnavailable as error:
            raise NotStarted(f"the bot was not started: {error}; {FREELY}") from error
        finally:
            forkserver.close()


def _be_nobody() -> None:
    """Drop root, as `manage.py up` does for its workers."""
    if os.geteuid() == 0:
        try:
            step_down()
        except OSError as error:
            message = f"whoever starts bots must not be root, and here is {error.strerror}: run this as another user"
            raise NotStarted(f"{message}; {FREELY}") from error


def _cage(tier: str, folder: Path) -> Cage:
    """Return a sandbox that holds; raises NotStarted with the obstacles."""
    asked = os.environ.get("BOT_CAGE", "") if tier == AUTO else tier
    refused = []
    for name in [asked] if asked else TIERS:
        cage = Cage(tier=name, folder=folder, wheels=os.environ.get("BOT_WHEELS", ""), prebuilt=True)
        report = probe(cage)
        if report.held:
            return cage
        refused.append(f"{name}: {report.reason}")
    which = f"{'BOT_CAGE=' if tier == AUTO else '--cage '}{asked} does not hold" if asked else "no cage holds"
    raise NotStarted(f"the bot was not started: {which} here ({'; '.join(refused)}). {REMEDY}")
