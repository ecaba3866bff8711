"""Options shared by all commands that play matches on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from functools import wraps
from gettext import gettext as _
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import msgspec
import typer

from ftk_core.games import UnknownGameError
from ftk_core.kit.built_in_bots import BotNotFound
from ftk_core.kit.match_series.match_series_result_file import MatchSeriesResultConflict
from ftk_core.kit.terminal_output import EXIT_UNDECIDED, err, fail, fail_too_busy, out
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.log_entries import TimeControl
from ftk_core.players import HostOverloadError

Seed = Annotated[str, typer.Option(help="Seed of the matches; the same seed plays the same matches.")]
Log = Annotated[Path | None, typer.Option(help="File for the logs of all matches.")]
Resume = Annotated[
    Path | None, typer.Option(help="File for the finished matches; a later call continues after the matches in it.")
]
Jobs = Annotated[int, typer.Option(min=1, help="Number of matches played at the same time.")]
CLOCK = {
    "move_ms": Annotated[
        int, typer.Option(min=1, help="Computing time for each decision that does not count, in milliseconds.")
    ],
    "bank_ms": Annotated[
        int, typer.Option(min=0, help="Additional computing time for the whole match, in milliseconds.")
    ],
}
"""Name of a field of TimeControl (the time limits of a match) -> type of its command-line option."""
Options = Annotated[str, typer.Option(help="Options of the game as JSON, e.g. '{\"fake\": true}'.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of a table.")]
Against = Annotated[
    list[str],
    typer.Option(
        help="Opponent: the name of a built-in bot, or a path; can be repeated. house stands for all built-in bots."
    ),
]
Seats = Annotated[int, typer.Option(min=0, help="Number of seats; 0 for the smallest table.")]
CPU_COUNT = os.cpu_count() or 1
Command = Callable[..., None]


def refuse_unused(
    *names: str, when: Callable[[Mapping[str, Any]], object], message: str
) -> Callable[[Command], Command]:
    """Return a decorator that makes a command refuse options without effect.

    `names` are the names of the options. `when` gets all arguments of the command, and returns whether the options have
    no effect. If they have none and an option does not have its default value, the command prints `message`, with the
    option in place of ``{option}``, and exits.
    """

    def decorate(command: Command) -> Command:
        defaults = {name: parameter.default for name, parameter in signature(command).parameters.items()}

        @wraps(command)
        def checked(**given: Any) -> None:
            unused = [name for name in names if given[name] != defaults[name]]
            if unused and when(given):
                fail(_(message).format(option=f"--{unused[0]}"))
            command(**given)

        return checked

    return decorate


@contextmanager
def report_wrong_input(resume: Path | None) -> Iterator[None]:
    """Print an error of the `with` block as one line, and exit."""
    # On Ctrl-C, it prints how to continue from the record file `resume`.
    try:
        yield
    except HostOverloadError as error:
        fail_too_busy(error)
    except BrokenExecutor as error:
        message = _("a process that played matches has ended, try again with fewer --jobs: {error}")
        fail(message.format(error=error), EXIT_UNDECIDED)
    except (UnknownGameError, BotNotFound, MatchSeriesResultConflict, InvalidUploadError, ValueError, OSError) as error:
        fail(error)
    except KeyboardInterrupt:
        if resume:
            err.print(
                _("stopped; run the same command to continue after the matches in {resume}").format(resume=resume)
            )
        raise


def with_clock_options(command: Command) -> Command:
    """Replace the parameter `clock` of a command by one option for each field of `TimeControl`."""
    hints = get_type_hints(command, include_extras=True)
    parameters = [
        parameter.replace(annotation=hints[name]) for name, parameter in signature(command).parameters.items()
    ]
    at = next(number for number, parameter in enumerate(parameters) if parameter.name == "clock")
    parts = [
        parameters[at].replace(name=part, default=getattr(TimeControl(), part), annotation=CLOCK[part])
        for part in CLOCK
    ]

    def run(**arguments: Any) -> None:
        clock = TimeControl(**{part: arguments.pop(part) for part in CLOCK})
        command(**arguments, clock=clock)

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = Signature([*parameters[:at], *parts, *parameters[at + 1 :]])  # type: ignore[attr-defined]  # read by typer
    run.__annotations__ = {**{name: hint for name, hint in hints.items() if name != "clock"}, **CLOCK}
    return run


def print_json(report: msgspec.Struct | Sequence[msgspec.Struct]) -> None:
    """Print a struct, or a list of them, as one JSON document."""
    typer.echo(msgspec.json.format(msgspec.json.encode(report)).decode())


def print_log_commands(log: Path | None) -> None:
    """Print the path of the written log, with the commands that verify and narrate it."""
    if log is not None:
        out.print(
            _("written: {log}; ftk verify {log} checks it, ftk story {log} tells it").format(log=log),
        )
