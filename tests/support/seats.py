"""Matches with seats that are played from outside, and workers for them that are threads of the test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import msgspec
from django.db import connections

from bots import outside
from bots.models import BotVersion
from ftk_core.entries import Chose, Clock, read
from ftk_core.log import lines_of
from ftk_core.rng import seed_of
from replays import by_hand
from replays.models import Mailbox, Match
from replays.playing.runner import play_match
from replays.services import Order, order_matches
from replays.store import StreamLog
from tests.support.factories import CLOCK, AuthorFactory
from tests.support.waiting import wait_for


def seated_match(versions: list[BotVersion], *, clock: Clock = CLOCK, hand_ms: int | None = None, **more: Any) -> Match:
    """Return a friendly match that nobody has claimed, asked for by the first seat's owner."""
    order = Order(
        game=versions[0].bot.game,
        versions=versions,
        seed=seed_of("seats"),
        clock=clock,
        hand_ms=hand_ms,
        asked_by=versions[0].bot.owner,
        **more,
    )
    return order_matches([order])[0]


def by_hand_version(name: str = "ada", game: str = "pig") -> BotVersion:
    """Return as what somebody plays by hand."""
    return outside.bot_by_hand(AuthorFactory.create(username=name), game)


def remote_version(slug: str = "afar", game: str = "pig") -> BotVersion:
    """Return a remote bot of somebody new."""
    return outside.register(AuthorFactory.create(), game, slug)


def _played(match_id: str) -> bool:
    try:
        return play_match(match_id)
    finally:
        connections.close_all()


@contextmanager
def playing(match: Match) -> Iterator[Future[bool]]:
    """Play a match in a thread, as a worker with a pool of threads does; it has to end by itself."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(_played, match.pk)


def asked(match: Match, seat: int = 0, number: int = 1) -> dict[str, Any]:
    """Return a seat's question once it is asked."""
    row = wait_for(
        lambda: Mailbox.objects.filter(seat__match=match, seat__seat=seat, number=number, answered_at=None).first(),
        f"question {number}",
    )
    line: dict[str, Any] = msgspec.json.decode(row.line)
    return line


def answer(match: Match, index: int, seat: int = 0) -> None:
    """Answer as the person in the seat whatever is asked."""
    row = Mailbox.objects.select_related("bot__owner").get(seat__match=match, seat__seat=seat)
    by_hand.answer(match.pk, seat, row.number, index, row.bot.owner)


def answer_on(match: Match, future: Future[bool], seat: int = 0, goal: int = 8) -> None:
    """Answer as a person who plays Pig, until the worker lets go of the match."""
    stop = threading.Event()
    while not future.done() and not stop.wait(0.005):
        row = Mailbox.objects.filter(seat__match=match, seat__seat=seat, answered_at=None, over="").exclude(number=0)
        for question in row:
            gathered = msgspec.json.decode(question.line)["view"]["gathered"]
            answer(match, 0 if gathered >= goal else 1, seat)


def choices(match: Match, seat: int = 0) -> list[Chose]:
    """Return what a seat chose, as the log has it."""
    entries = [read(line) for line in lines_of(StreamLog(match.stream_id))]
    return [entry for entry in entries if isinstance(entry, Chose) and entry.seat == seat]
