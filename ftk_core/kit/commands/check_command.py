"""`ftk check`: play a bot's trial match on this machine, and report as a server would."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import gettext as _
from typing import Annotated

import typer

from ftk_core.games import UnknownGameError, game
from ftk_core.kit.bot_sandboxing import AUTO, BotStartError
from ftk_core.kit.built_in_bots import BotNotFound
from ftk_core.kit.client.trial_progress import TrialProgress
from ftk_core.kit.commands.check import check_bot, describe_local_languages, describe_server_languages, report_of
from ftk_core.kit.entry_point import EXIT_NEGATIVE, err, fail, out
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.kit.series.series_options import Json, print_json
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.players import HostFault

QUOTED_LOG_PREFIXES = ("stderr:", "the compiler:")
"""Lines of a trial match's log after which the text was written by a bot or a compiler, not by us."""
checking = typer.Typer()


@checking.command()
def check(
    name: Annotated[str, typer.Argument(metavar="GAME")],
    bot: Annotated[str, typer.Argument(help="What you would upload, a folder of it, or a house bot's name.")],
    seats: Annotated[int, typer.Option(help="At a table of this many; 0 is the smallest.")] = 0,
    cage: Annotated[str, typer.Option(help="auto, bwrap, forkserver, landlock; or none, with your own rights.")] = AUTO,
    json: Json = False,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER", help="An arena, to say what it can build.")] = "",
) -> None:
    """Read a bot as an upload is read, play the match that a server plays with it, and report as it does.

    The bot is held in the server's cage where the arena is installed beside the kit, else it runs with your rights.
    """
    try:
        with TrialProgress(err) as progress:
            checked = check_bot(name, bot, seats, cage, progress)
    except InvalidUploadError as error:
        fail(_("{bot} would be refused: {reason}").format(bot=bot, reason=translate_line(str(error))), EXIT_NEGATIVE)
    except HostFault as error:
        fail(
            _("this machine is too busy to judge a bot, try again: {error}").format(error=translate_line(str(error))),
            EXIT_NEGATIVE,
        )
    except (UnknownGameError, BotNotFound, BotStartError, ValueError, OSError) as error:
        fail(error)
    if json:
        print_json(report_of(name, bot, checked))
        raise typer.Exit(0 if checked.trial.passed else EXIT_NEGATIVE)
    server_languages = [describe_server_languages(server)] if server else []
    out.print(checked.held, describe_local_languages(), *server_languages, sep="\n", markup=False, soft_wrap=True)
    out.print("\n".join(_translate_log(checked.trial.log)), markup=False)
    if not checked.trial.passed:
        fail(
            _("{bot} would be refused: {reason}").format(bot=bot, reason=translate_line(checked.trial.reason)),
            EXIT_NEGATIVE,
        )
    out.print(_("ok: {bot} plays {game}").format(bot=bot, game=game(name).title), markup=False)


def _translate_log(log: str) -> Iterator[str]:
    """Yield the lines of a trial match's log: our own translated, those written by bots and compilers unchanged."""
    ours = True
    for line in log.split("\n"):
        yield translate_line(line) if ours else line
        ours &= line not in QUOTED_LOG_PREFIXES
