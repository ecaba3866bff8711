"""What `ftk check` does: read a bot as an upload is read, hold it, and play the trial."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ftk_core.games import game
from ftk_core.kit.archive import read_upload
from ftk_core.kit.holding import BuildFailed, held
from ftk_core.kit.house import locate
from ftk_core.kit.packing import packed
from ftk_core.kit.trial import Trial, not_compiled, play_trial


class Checked(msgspec.Struct, frozen=True):
    """How a check went."""

    held: str
    """How the bot was held, as one line."""
    trial: Trial


def check_bot(game_name: str, bot: str, seats: int, cage: str) -> Checked:
    """Return how the trial of a bot, given by its house name or path, goes here; nothing of it is kept.

    Raises UnknownGame, NoSuchBot, BadUpload, NotStarted, ValueError (a table that the game does not have), HostFault
    and OSError.
    """
    game(game_name)
    file, body = packed(locate(game_name, bot))
    upload = read_upload(file, body)
    try:
        with held(cage, Path(file).stem, upload) as (how, player):
            return Checked(how, play_trial(game_name, player, seats))
    except BuildFailed as error:
        return Checked("not started: its source does not compile", not_compiled(error))
