"""Closed matches go to the archive: block written, read back, compared; then its place recorded, its rows let go.

The last two are one small transaction. A kill at any point leaves a match entirely in the database or entirely in the
archive; a block without a record is found again under the same name, or does no harm. The database lets the pages of a
stream be deleted only if a block of the same length and head is recorded.
"""

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

from ftk_core.entries import stream_of
from ftk_core.log import GENESIS, BrokenChain, Page, check_chain
from ftk_core.merkle import root_of
from replays.block_models import Block, Dictionary
from replays.blocks import packing
from replays.blocks.reading import path_of_block, path_of_dictionary, read_all, read_dictionary
from replays.blocks.storage import storage
from replays.blocks.unread import BlockUnread, StoreRefused, StoreUnreachable
from replays.failed_work import list_left, run_bounded
from replays.models import Match, Stream
from replays.records import forget_stored, read_stored
from replays.store import pages_of

log = structlog.get_logger(__name__)
STREAM = Concat(Value(stream_of("")), OuterRef("pk"), output_field=TextField())
ARCHIVE: Final = "archive"
"""Kind of failed work for the archiving of one match."""
EXAMPLES = 256
"""Maximum number of matches from which a dictionary is made."""
_EXCUSE = re.compile(rb'"excuse":"(\w+)"')  # quotation marks inside texts are escaped


class NotArchived(Exception):
    """Raised for a match that cannot be archived; the message gives the reason."""


class TooFew(Exception):
    """Raised when a game has too few closed matches for a dictionary."""


def select_old(before: datetime) -> QuerySet[Match]:
    """Return the matches closed before a time that are not in the archive, oldest first."""
    kept = Block.objects.filter(pk=STREAM)
    return Match.objects.filter(~Exists(kept), status=Match.Status.CLOSED, closed_at__lt=before).order_by("closed_at")


def archive_matches(matches: Iterable[Match]) -> Iterator[tuple[Match, Block | NotArchived]]:
    """Yield each match with its block, or with the reason it stays; raises StoreUnreachable or StoreRefused."""
    for match in matches:
        try:
            yield match, archive_match(match)
        except NotArchived as error:
            log.warning("not_archived", match=match.pk, reason=str(error))
            yield match, error


def archive_for(seconds: float, days: int) -> int:
    """Archive matches older than some days, for a limited time; return the number archived."""
    until, count = time.monotonic() + seconds, 0
    old = select_old(timezone.now() - timedelta(days=days)).exclude(pk__in=list_left(ARCHIVE))
    away = (StoreUnreachable, StoreRefused)
    try:
        for match in old.iterator(chunk_size=50):
            count += run_bounded(ARCHIVE, match.pk, partial(archive_match, match), None, passing=away) is not None
            if time.monotonic() > until:
                break
    except (StoreUnreachable, StoreRefused) as error:
        log.warning("archive_waits", reason=str(error))
    return count


def archive_match(match: Match) -> Block:
    """Archive a closed match, unless it is archived already.

    Raises NotArchived if it stays in the database, or StoreUnreachable or StoreRefused.
    """
    try:
        pages = tuple(check_chain(pages_of(match.stream_id)))
        name = _dictionary_for(match.game)
        block = _written(match, pages, read_dictionary(name) if name else b"")
    except (StoreUnreachable, StoreRefused):
        raise
    except (BrokenChain, BlockUnread) as error:
        raise NotArchived(f"{match.stream_id} stays in the database: {error}") from error
    return _recorded(match, block)


def make_dictionary(game: str) -> Dictionary:
    """Make a dictionary from the latest closed matches of a game, store it and use it from now on.

    Raises TooFew, or BlockUnread if it cannot be stored.
    """
    closed = Match.objects.filter(game=game, status=Match.Status.CLOSED).order_by("-closed_at")[:EXAMPLES]
    logs: list[bytes] = []
    for match in closed:
        logs.insert(0, b"".join(page.body for page in pages_of(match.stream_id)))
        if len(logs) >= packing.LEAST and sum(map(len, logs)) > packing.DICTIONARY_BYTES * 5 // 4:
            break
    if len(logs) < packing.LEAST:
        raise TooFew(f"{game} has {len(logs)} closed matches; a dictionary is made from {packing.LEAST} or more")
    body = packing.make_dictionary(logs)
    name = packing.name_of(body)
    storage().put(path_of_dictionary(name), body)
    read_dictionary(name)
    return Dictionary.objects.get_or_create(name=name, defaults={"game": game})[0]


def _dictionary_for(game: str) -> str:
    """Return the name of the game's dictionary, made on first use; empty while there are too few matches."""
    newest = Dictionary.objects.filter(game=game).order_by("-made_at").first()
    try:
        return (newest or make_dictionary(game)).name
    except TooFew:
        return ""


def _written(match: Match, pages: tuple[Page, ...], dictionary: bytes) -> Block:
    """Return the row, not yet stored, of a block that was written and read back; raises BlockUnread or NotArchived."""
    records = read_stored(match)
    body = packing.pack(pages, dictionary, records)
    name = packing.name_of(body)
    storage().put(path_of_block(name), body)
    block = Block(
        stream_id=match.stream_id,
        name=name,
        size=len(body),
        length=pages[-1].last + 1 if pages else 0,
        head=pages[-1].head if pages else GENESIS,
        root=root_of([page.head for page in pages]),
        excuses=sorted({found.decode() for page in pages for found in _EXCUSE.findall(page.body)}),
    )
    if read_all(block) != (pages, records):
        raise NotArchived(f"{match.stream_id} stays in the database: what was read back as {name} are other pages")
    return block


@transaction.atomic
def _recorded(match: Match, block: Block) -> Block:
    """Record the place of a match's pages, and let them and what only a worker needs go.

    Raises NotArchived where they are not all there is.
    """
    stream = Stream.objects.select_for_update().filter(pk=match.stream_id).first()
    there = Block.objects.filter(pk=match.stream_id).first()
    if there:  # somebody else was quicker
        return there
    closed = Match.objects.filter(pk=match.pk, status=Match.Status.CLOSED)
    if not stream or not closed.exists() or (stream.length, bytes(stream.head)) != (block.length, block.head):
        raise NotArchived(f"{match.stream_id} stays in the database: its pages are not what its head says")
    block.save(force_insert=True)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM replays_page WHERE stream_id = %s", [stream.pk])
    stream.delete()
    closed.update(holder="", build="")  # the log has the build
    forget_stored(match)
    return block
