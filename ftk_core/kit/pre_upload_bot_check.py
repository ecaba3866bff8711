"""Local check of a bot before its upload, with a trial match in a sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from gettext import gettext
from pathlib import Path

import msgspec

from ftk_core.games import game
from ftk_core.kit.bot_sandboxing import BotBuildError, start_sandboxed
from ftk_core.kit.built_in_bots import locate_bot
from ftk_core.kit.client.http_client import RequestError, check_server, request_json
from ftk_core.kit.protocol.cpu_clock import measures_waiting
from ftk_core.kit.trial_match import TrialMatchObserver, TrialMatchResult, build_compile_failure, play_trial
from ftk_core.kit.uploads.bot_compilation import describe_missing_compiler
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.kit.uploads.upload_limits import UPLOAD
from ftk_core.kit.uploads.upload_packing import pack_bot
from ftk_core.kit.uploads.upload_validation import read_upload
from ftk_core.match_state_from_log import check_options


def describe_local_languages() -> str:
    """Return one line that lists the programming languages whose bots this machine can compile and run."""
    can = [name for name in LANGUAGES if not describe_missing_compiler(name)]
    cannot = [name for name in LANGUAGES if name not in can]
    said = gettext("this machine builds and plays {languages}").format(languages=", ".join(can))
    return said + (gettext("; not {languages}").format(languages=", ".join(cannot)) if cannot else "")


def describe_clock() -> list[str]:
    """Return a warning if this system cannot measure how long a bot waits for a processor, else an empty list."""
    # Without this measurement, the waits count as the bot's sleep.
    if measures_waiting():
        return []
    return [gettext("the clock: waiting for a processor is not measured here, so it counts as sleeping")]


class PreUploadCheckResult(msgspec.Struct, frozen=True):
    """Result of checking a bot: a description of the sandbox, and the result of a trial match in it."""

    sandbox_text: str
    """Description of the sandbox that was used, as one line."""
    trial: TrialMatchResult
    language: str
    """The bot's programming language, a key of `LANGUAGES`."""
    untried: tuple[str, ...] = ()
    """Operations that the arena's sandbox would refuse, and that this check could not test."""


class _ServerLanguage(msgspec.Struct):
    name: str
    workers: int


class _ServerLanguages(msgspec.Struct):
    languages: list[_ServerLanguage]


def check_language(checked: PreUploadCheckResult, server: str) -> tuple[str, PreUploadCheckResult]:
    """Return a line about the languages that a server can build, and the result; failed if the bot's is missing."""
    try:
        languages = msgspec.convert(
            request_json(f"{check_server(server)}/api/v1/languages/"), _ServerLanguages
        ).languages
    except (RequestError, msgspec.ValidationError) as error:
        return gettext("what {server} can build is not known: {error}").format(server=server, error=error), checked
    can = [language.name for language in languages if language.workers]
    if not can:
        return gettext("{server} has not said yet what it can build").format(server=server), checked
    if checked.language not in can:
        reason = gettext(
            "no worker of {server} builds {title}: write the bot in {languages}, or ask the organiser for {title}"
        ).format(server=server, title=gettext(LANGUAGES[checked.language].title), languages=", ".join(can))
        trial = msgspec.structs.replace(checked.trial, passed=False, reason=reason)
        checked = msgspec.structs.replace(checked, trial=trial)
    return gettext("{server} builds and plays {can}").format(server=server, can=", ".join(can)), checked


class PreUploadCheckJsonReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of checking a bot, as printed by `ftk check --json`."""

    schema: str = "ftk.check/1"
    game: str
    bot: str
    held: str
    """Description of the sandbox that was used, as one line."""
    passed: bool
    reason: str
    """Reason for the refusal; empty if the bot passed."""
    log: str
    """The bot's faults, notes and standard error."""
    untried: tuple[str, ...] = ()
    """Operations that the arena's sandbox would refuse, and that this check could not test."""


def report_of(game_name: str, bot: str, checked: PreUploadCheckResult) -> PreUploadCheckJsonReport:
    """Convert the result of a check to the document that `ftk check --json` prints."""
    trial = msgspec.structs.asdict(checked.trial)
    return PreUploadCheckJsonReport(
        game=game_name, bot=bot, held=checked.sandbox_text, untried=checked.untried, **trial
    )


def check_bot(
    game_name: str, bot: str, seats: int, sandbox: str, trial_observer: TrialMatchObserver | None = None
) -> PreUploadCheckResult:
    """Test a bot in a match and return the result; nothing is stored.

    If `seats` is 0, the match has the smallest number of players that the game allows. Raises UnknownGameError,
    BotNotFound, InvalidUploadError, BotStartError, ValueError for an invalid number of seats, HostOverloadError,
    OSError.
    """
    rules = game(game_name)
    check_options(rules, seats or rules.seats.start, rules.options())
    file, body = pack_bot(locate_bot(game_name, bot))
    upload = read_upload(file, body, replace(UPLOAD, prebuilt=True))
    try:
        with start_sandboxed(sandbox, Path(file).stem, upload) as started:
            trial = play_trial(game_name, started.player, seats, trial_observer)
            trial = _name_folders(trial, started.folders)
            return PreUploadCheckResult(started.sandbox_text, trial, upload.command[0], tuple(started.untried))
    except BotBuildError as error:
        text = gettext("not started: its source does not compile")
        return PreUploadCheckResult(text, build_compile_failure(error), upload.command[0])


def _name_folders(trial: TrialMatchResult, folders: Mapping[str, str]) -> TrialMatchResult:
    """Replace local folders in a trial match's log by their paths in a server's sandbox."""
    log = trial.log
    for folder, name in folders.items():
        log = log.replace(folder, name)
    return msgspec.structs.replace(trial, log=log)
