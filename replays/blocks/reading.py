"""Reading of a match's pages from the archive."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import gettext

from ftk_core.log import Page
from ftk_core.merkle import root_of
from replays.block_models import Block
from replays.blocks.packing import AuthorRecord, dictionary_of, name_of, unpack
from replays.blocks.storage import storage
from replays.blocks.unread import BlockUnread, BrokenBlock, MissingBlock, MissingDictionary


def path_of_block(name: str) -> str:
    """Return the path of a block in the archive."""
    return f"blocks/{name[:2]}/{name}"


def path_of_dictionary(name: str) -> str:
    """Return the path of a dictionary in the archive."""
    return f"dictionaries/{name}"


def read_block(row: Block) -> tuple[Page, ...]:
    """Return the pages that a block holds, as they were; raises BlockUnread with the match and the reason."""
    return read_all(row)[0]


def read_all(row: Block) -> tuple[tuple[Page, ...], list[AuthorRecord]]:
    """Return the pages and, by seat, the bots' records, of which there may be none; raises BlockUnread likewise."""
    try:
        return _read(row)
    except BlockUnread as error:
        told = gettext("%(match)s is in the archive and cannot be read now: %(reason)s")
        raise type(error)(told % {"match": row.stream_id, "reason": error}) from error


def _read(row: Block) -> tuple[tuple[Page, ...], list[AuthorRecord]]:
    body = storage().get(path_of_block(row.name))
    if name_of(body) != row.name:
        raise BrokenBlock(gettext("the block is not what its name says; put back a copy of it from a backup"))
    name = dictionary_of(body)
    pages, records = unpack(body, read_dictionary(name) if name else b"")
    if not pages or pages[-1].head != bytes(row.head) or root_of([page.head for page in pages]) != bytes(row.root):
        raise BrokenBlock(gettext("what is in the block is another log"))
    return pages, records


@lru_cache(maxsize=16)
def read_dictionary(name: str) -> bytes:
    """Return a dictionary; raises MissingDictionary, or another BlockUnread if the store does not answer."""
    told = gettext("its dictionary %(name)s is missing; put back a copy of it from a backup")
    try:
        body = storage().get(path_of_dictionary(name))
    except MissingBlock as error:
        raise MissingDictionary(told % {"name": name}) from error
    if name_of(body) != name:
        raise MissingDictionary(told % {"name": name})
    return body
