"""Archiving of matches that ended with a result.

The log is written to the archive, checked, and deleted from the database.
"""
# One small transaction records the written block and deletes the log's pages, so that a killed process leaves the log
# entirely in the database or entirely in the archive. The database refuses to delete pages without a recorded block of
# the same length and hash. A written block without a record does no harm: the next attempt writes the same file.

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet, TextField, Value
from django.db.models.functions import Concat
from django.utils import timezone

from ftk_core.hash_chained_log import GENESIS, BrokenHashChainError, LogPage, check_chain
from ftk_core.log_entries import stream_of
from ftk_core.merkle import root_of
from replays.archive import block_format
from replays.archive.archive_errors import ArchiveStoreRefusedError, ArchiveStoreUnavailable, ArchiveUnavailable
from replays.archive.archived_log_reading import (
    path_of_block,
    path_of_dictionary,
    read_block_with_records,
    read_dictionary,
)
from replays.archive.block_format import PrivateBotDiagnostics
from replays.archive.block_storage import storage
from replays.background_work_retries import list_given_up, run_with_retries
from replays.event_stream_storage import pages_of
from replays.models import EventStream, Match
from replays.models.archive_blocks import ArchivedMatchLog, CompressionDictionary
from replays.private_bot_diagnostics import delete_stored, read_stored

log = structlog.get_logger(__name__)
STREAM_ID_EXPRESSION = Concat(Value(stream_of("")), OuterRef("pk"), output_field=TextField())
ARCHIVE_KIND: Final = "archive"
"""Value of `FailedWork.kind` for the archiving of one match."""
MAX_EXAMPLES = 256
"""Maximum number of matches whose logs are used for a compression dictionary."""
_EXCUSE = re.compile(rb'"excuse":"(\w+)"')  # quotation marks inside JSON strings are escaped


class ArchivingError(Exception):
    """Raised if a match cannot be archived and stays in the database; the message gives the reason."""


class DiagnosticsChangedError(ArchivingError):
    """Raised if private texts of a match's bots, such as stderr, were erased while the match was archived.

    The caller must delete the block that was written, because it still contains the texts.
    """


class CompressionDictionaryTrainingError(Exception):
    """Raised if a game has too few matches with a result to make a compression dictionary."""


def select_old(before: datetime) -> QuerySet[Match]:
    """Return the unarchived matches that ended with a result before a time, oldest first."""
    kept = ArchivedMatchLog.objects.filter(pk=STREAM_ID_EXPRESSION)
    return Match.objects.filter(~Exists(kept), status=Match.Status.CLOSED, closed_at__lt=before).order_by("closed_at")


def archive_matches(matches: Iterable[Match]) -> Iterator[tuple[Match, ArchivedMatchLog | ArchivingError]]:
    """Archive matches, and yield each match with its archived log or an ArchivingError.

    Raises ArchiveStoreUnavailable or ArchiveStoreRefusedError.
    """
    for match in matches:
        try:
            yield match, archive_match(match)
        except ArchivingError as error:
            log.warning("not_archived", match=match.pk, reason=str(error))
            yield match, error


def archive_for(seconds: float, days: int) -> int:
    """Archive matches that ended more than `days` days ago, and return their number.

    Begin no further match after `seconds` seconds.
    """
    # Matches whose archiving was given up are skipped. An unreachable archive ends the run.
    until, count = time.monotonic() + seconds, 0
    old = select_old(timezone.now() - timedelta(days=days)).exclude(pk__in=list_given_up(ARCHIVE_KIND))
    away = (ArchiveStoreUnavailable, ArchiveStoreRefusedError)
    try:
        for match in old.iterator(chunk_size=50):
            count += (
                run_with_retries(ARCHIVE_KIND, match.pk, partial(archive_match, match), None, passing=away) is not None
            )
            if time.monotonic() > until:
                break
    except (ArchiveStoreUnavailable, ArchiveStoreRefusedError) as error:
        log.warning("archive_waits", reason=str(error))
    return count


def archive_match(match: Match) -> ArchivedMatchLog:
    """Archive a match that ended with a result, and return its archived log.

    Raises ArchivingError, ArchiveStoreUnavailable or ArchiveStoreRefusedError.
    """
    # After an ArchivingError the match stays in the database.
    try:
        pages = tuple(check_chain(pages_of(match.stream_id)))
        name = _dictionary_for(match.game)
        records = read_stored(match)
        block = _write_block(match, pages, records, read_dictionary(name) if name else b"")
    except (ArchiveStoreUnavailable, ArchiveStoreRefusedError):
        raise
    except (BrokenHashChainError, ArchiveUnavailable) as error:
        raise ArchivingError(f"{match.stream_id} stays in the database: {error}") from error
    try:
        return _record_block(match, block, records)
    except DiagnosticsChangedError:
        storage().delete(path_of_block(block.name))
        raise


def make_dictionary(game: str) -> CompressionDictionary:
    """Make and store a compression dictionary for the next matches of a game.

    Raises CompressionDictionaryTrainingError, or ArchiveUnavailable if it cannot be stored.
    """
    closed = Match.objects.filter(game=game, status=Match.Status.CLOSED).order_by("-closed_at")[:MAX_EXAMPLES]
    logs: list[bytes] = []
    for match in closed:
        logs.insert(0, b"".join(page.body for page in pages_of(match.stream_id)))
        if (
            len(logs) >= block_format.MIN_DICTIONARY_LOGS
            and sum(map(len, logs)) > block_format.DICTIONARY_BYTES * 5 // 4
        ):
            break
    if len(logs) < block_format.MIN_DICTIONARY_LOGS:
        raise CompressionDictionaryTrainingError(
            f"{game} has {len(logs)} closed matches; "
            f"a dictionary is made from {block_format.MIN_DICTIONARY_LOGS} or more"
        )
    body = block_format.make_dictionary(logs)
    name = block_format.block_name(body)
    storage().put(path_of_dictionary(name), body)
    read_dictionary(name)
    return CompressionDictionary.objects.get_or_create(name=name, defaults={"game": game})[0]


def _dictionary_for(game: str) -> str:
    """Return the name of the game's newest compression dictionary. If the game has none, make one.

    The name is empty if the game has too few matches.
    """
    newest = CompressionDictionary.objects.filter(game=game).order_by("-made_at").first()
    try:
        return (newest or make_dictionary(game)).name
    except CompressionDictionaryTrainingError:
        return ""


def _write_block(
    match: Match, pages: tuple[LogPage, ...], records: list[PrivateBotDiagnostics], dictionary: bytes
) -> ArchivedMatchLog:
    """Write a match's log and its bots' private records to the archive, and read them back as a check.

    Return an `ArchivedMatchLog` that is not saved yet. Raises ArchiveUnavailable, or ArchivingError if the check fails.
    """
    body = block_format.pack_block(pages, dictionary, records)
    name = block_format.block_name(body)
    storage().put(path_of_block(name), body)
    block = ArchivedMatchLog(
        stream_id=match.stream_id,
        name=name,
        size=len(body),
        length=pages[-1].last + 1 if pages else 0,
        head=pages[-1].head if pages else GENESIS,
        root=root_of([page.head for page in pages]),
        excuses=sorted({excuse.decode() for page in pages for excuse in _EXCUSE.findall(page.body)}),
    )
    if read_block_with_records(block) != (pages, records):
        raise ArchivingError(f"{match.stream_id} stays in the database: what was read back as {name} are other pages")
    return block


@transaction.atomic
def _record_block(match: Match, block: ArchivedMatchLog, records: list[PrivateBotDiagnostics]) -> ArchivedMatchLog:
    """Save the record of an archived log, and delete the log from the database.

    Raises ArchivingError if the match has no result, or if its log or its private texts have changed.
    """
    # If another process has archived the match first, its record is returned. Data that no ended match needs is
    # cleared.
    stream = EventStream.objects.select_for_update().filter(pk=match.stream_id).first()
    there = ArchivedMatchLog.objects.filter(pk=match.stream_id).first()
    if there:  # another process archived it first
        return there
    closed = Match.objects.filter(pk=match.pk, status=Match.Status.CLOSED)
    if not stream or not closed.exists() or (stream.length, bytes(stream.head)) != (block.length, block.head):
        raise ArchivingError(f"{match.stream_id} stays in the database: its pages are not what its head says")
    if read_stored(match, lock=True) != records:
        raise DiagnosticsChangedError(f"{match.stream_id} stays in the database: its private texts have changed")
    block.save(force_insert=True)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM replays_page WHERE stream_id = %s", [stream.pk])
    stream.delete()
    closed.update(holder="", build="")  # the log contains the build
    delete_stored(match)
    return block
