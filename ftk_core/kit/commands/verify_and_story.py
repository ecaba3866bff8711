"""`ftk verify` and `ftk story`: check stored matches and exported leagues, and print matches as sentences."""

from __future__ import annotations

import os
from collections.abc import Iterator
from gettext import gettext as _
from glob import glob, has_magic
from pathlib import Path
from typing import Annotated

import typer

from ftk_core.i18n import ENGLISH, list_languages
from ftk_core.kit.match_log_narration import narrate_matches
from ftk_core.kit.terminal_output import (
    EXIT_NEGATIVE,
    EXIT_UNDECIDED,
    describe_os_error,
    err,
    escape_unprintable,
    fail,
    out,
)
from ftk_core.kit.verify.league_export_verification import is_league, verify_export
from ftk_core.kit.verify.match_log_verification import InvalidLogError, VerifiedMatchLog, verify_matches

logs = typer.Typer()


@logs.command()
def verify(
    paths: Annotated[
        list[str], typer.Argument(help="Log files of matches, or exports of leagues (.tar file or unpacked folder).")
    ],
    key: Annotated[Path | None, typer.Option(help="Public key (PEM) with which a league must be signed.")] = None,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Rerun with the native and with the Python rules, and compare.")
    ] = False,
) -> None:
    """Verify logs of matches and exports of leagues: hash chains, facts, choices, seeds, results, signatures.

    The exit code is 1 after a flaw, and 3 if there is none but checks of a league could not be made here.
    """
    codes = set[int]()
    try:
        pem = key.read_bytes() if key else None
        files = [path for pattern in paths for path in _list_matching_files(pattern)]
        for path in files if key else ():
            if path.exists() and not is_league(path):
                message = _("--key {key}: only exports of leagues are signed, and {path} is none")
                fail(message.format(key=key, path=path))
        for path in files:
            where = f"{path}: " if len(files) > 1 else ""
            if is_league(path):
                codes.add(_verify_league(path, where, pem, thorough=thorough))
            elif not _is_sound_log(path, where, thorough=thorough):
                codes.add(EXIT_NEGATIVE)
    except OSError as error:
        fail(describe_os_error(error))
    if code := next((code for code in (EXIT_NEGATIVE, EXIT_UNDECIDED) if code in codes), 0):
        raise typer.Exit(code)


def _list_matching_files(pattern: str) -> Iterator[Path]:
    """Yield the files that match a path or a glob pattern; raises FileNotFoundError if no file matches."""
    paths = sorted(glob(pattern)) if has_magic(pattern) and not os.path.lexists(pattern) else [pattern]
    if not paths:
        raise FileNotFoundError(2, _("there is no file that fits"), pattern)
    yield from map(Path, paths)


def _is_sound_log(path: Path, where: str, *, thorough: bool) -> bool:
    matches = 0
    try:
        for verdict in verify_matches(path, thorough=thorough):
            matches += 1
            _print_verdict(verdict, where)
    except InvalidLogError as error:
        err.print(f"{path}: {error}", style="red")
        return False
    if matches > 1:
        out.print(_("ok: {path}, {matches} matches").format(path=path, matches=matches))
    return True


def _print_verdict(verdict: VerifiedMatchLog, where: str) -> None:
    head = _("{entries} entries in {pages} pages, head {head}").format(
        entries=verdict.entries, pages=verdict.pages, head=verdict.head[:16]
    )
    out.print(f"ok: {where}{verdict.game}, {head}")
    if verdict.void:
        void = escape_unprintable(verdict.void)
        out.print(
            _("void: {void}; its seed is not revealed, so its random numbers cannot be checked").format(void=void)
        )
    else:
        named = zip(verdict.players, verdict.places, strict=True)
        places = ", ".join(f"{name} {place}." for name, place in named)
        out.print(_("places: {named}").format(named=escape_unprintable(places)))
    if not verdict.same_build and not verdict.void:
        out.print(_("note: written by another build of the game; this one reruns it to the same bytes"))


def _verify_league(path: Path, where: str, key: bytes | None, *, thorough: bool) -> int:
    """Verify an exported league, print the report, and return the exit code."""
    with err.status(_("checking every match ...")):
        report = verify_export(path, key, thorough=thorough)
    out.print(*map(escape_unprintable, report.acts), sep="\n", end="\n" if report.acts else "")
    for flaw in report.flaws:
        err.print(f"{where}{escape_unprintable(str(flaw))}", style="red")
    for note in (*report.skipped, *report.notes):
        err.print(where + _("note: {note}").format(note=escape_unprintable(note)), style="yellow")
    if report.flaws:
        err.print(_("{path}: {flaws} flaws").format(path=path, flaws=len(report.flaws)), style="red")
        return EXIT_NEGATIVE
    summary = f"{where}{escape_unprintable(report.summary)}"
    out.print(_("NOT all checked: {summary}").format(summary=summary) if report.skipped else f"ok: {summary}")
    return EXIT_UNDECIDED if report.skipped else 0


@logs.command()
def story(
    path: Annotated[Path, typer.Argument(help="Log file of one or more matches.")],
    language: Annotated[str, typer.Option(help="Language of the sentences, such as en.")] = ENGLISH,
) -> None:
    """Print the matches of a log as sentences."""
    if language not in list_languages():
        fail(
            _("--language {language}: stories are available in {languages}").format(
                language=language, languages=" and ".join(list_languages())
            )
        )
    try:
        for number, tale in enumerate(narrate_matches(path, language)):
            lines = [f"{seq:>5}  {escape_unprintable(sentence)}" for seq, sentence in tale]
            out.print(*([""] if number else []), *lines, sep="\n")
    except OSError as error:
        fail(describe_os_error(error, path))
    except InvalidLogError as error:
        fail(f"{path}: {error}", EXIT_NEGATIVE)
