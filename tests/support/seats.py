"""Matches with seats that are played from outside, and workers for them that are threads of the test."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Self
from urllib.parse import urlencode

import msgspec
from django.db import connections
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from bots import outside
from bots.models import BotVersion
from bots.tokens import new_token
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


def shown(version: BotVersion, *scopes: str) -> str:
    """Return a token of a bot's owner."""
    return new_token(version.bot.owner, scopes=scopes or ("play",))


class Program:
    """A remote bot's program, which a test makes read and answer."""

    def __init__(self, port: int, version: BotVersion, token: str = "", **more: str) -> None:
        """Connect; raises InvalidStatus where the arena refuses that."""
        asked = urlencode({"bot": version.bot.slug, **more})
        header = {"Authorization": f"Token {token or shown(version)}"}
        self._dialed = connect(f"ws://127.0.0.1:{port}/seat?{asked}", additional_headers=header)
        self.socket = self._dialed.__enter__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._dialed.__exit__(None, None, None)

    def read(self) -> dict[str, Any]:
        """Return the next message."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=20))
        return message

    def question(self) -> dict[str, Any]:
        """Return the next message with a question in it."""
        while (message := self.read()).get("line", {}).get("type") != "ask":
            pass
        return message

    def say(self, seat: str, line: Any) -> None:
        """Send a line."""
        self.socket.send(json.dumps({"seat": seat, "line": line}))

    def answer(self, message: dict[str, Any], **more: Any) -> None:
        """Answer a question of Pig as one who holds at eight."""
        line = message["line"]
        self.say(message["seat"], {"id": line["id"], "choose": int(line["view"]["gathered"] < 8), **more})

    def play(self) -> list[dict[str, Any]]:
        """Answer to the end of the match; return all messages."""
        messages = [self.read()]
        while messages[-1].get("line", {}).get("type") != "over":
            if messages[-1].get("line", {}).get("type") == "ask":
                self.answer(messages[-1])
            messages.append(self.read())
        return messages

    def code(self) -> int:
        """Return the code with which the arena closes the connection, reading up to there."""
        with suppress(ConnectionClosed):
            while True:
                self.read()
        assert self.socket.close_code is not None
        return self.socket.close_code
