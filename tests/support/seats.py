"""Matches with seats that are played remotely or by hand, and workers for them in threads of the test."""

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

from bots import remote_bots
from bots.access.api_tokens import create_token
from bots.models import BotVersion
from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import ChoiceMade, TimeControl, read
from ftk_core.random_streams import seed_of
from replays.event_stream_storage import EventAppender
from replays.human_play import questions_to_humans
from replays.models import Match, SeatQuestionMailbox
from replays.playing.match_runner import play_match
from replays.services import MatchRequest, order_matches
from tests.support.factories import CLOCK, AuthorFactory
from tests.support.waiting import wait_for


def create_seated_match(
    versions: list[BotVersion], *, clock: TimeControl = CLOCK, hand_ms: int | None = None, **more: Any
) -> Match:
    """Return a waiting friendly match, requested by the owner of the first seat's bot."""
    order = MatchRequest(
        game=versions[0].bot.game,
        versions=versions,
        seed=seed_of("seats"),
        clock=clock,
        hand_ms=hand_ms,
        asked_by=versions[0].bot.owner,
        **more,
    )
    return order_matches([order])[0]


def create_person_version(name: str = "ada", game: str = "pig") -> BotVersion:
    """Return the version under which a person plays by hand."""
    return remote_bots.get_bot_by_hand(AuthorFactory.create(username=name), game)


def create_remote_version(slug: str = "afar", game: str = "pig") -> BotVersion:
    """Return a remote bot of a new author."""
    return remote_bots.register_remote_bot(AuthorFactory.create(), game, slug)


def _played(match_id: str) -> bool:
    try:
        return play_match(match_id)
    finally:
        connections.close_all()


@contextmanager
def play_in_thread(match: Match) -> Iterator[Future[bool]]:
    """Play a match in a thread, like a worker with a pool of threads; the match has to end by itself."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(_played, match.pk)


def wait_for_question(match: Match, seat: int = 0, number: int = 1) -> dict[str, Any]:
    """Return a seat's question when it is asked."""
    row = wait_for(
        lambda: SeatQuestionMailbox.objects.filter(
            seat__match=match, seat__seat=seat, number=number, answered_at=None
        ).first(),
        f"question {number}",
    )
    line: dict[str, Any] = msgspec.json.decode(row.line)
    return line


def answer_question(match: Match, index: int, seat: int = 0) -> None:
    """Answer the current question of a seat as its person."""
    row = SeatQuestionMailbox.objects.select_related("bot__owner").get(seat__match=match, seat__seat=seat)
    questions_to_humans.store_answer(match.pk, seat, row.number, index, row.bot.owner)


def answer_until_released(match: Match, future: Future[bool], seat: int = 0, goal: int = 8) -> None:
    """Answer as a person who plays Pig until the worker releases the match."""
    stop = threading.Event()
    while not future.done() and not stop.wait(0.005):
        row = SeatQuestionMailbox.objects.filter(seat__match=match, seat__seat=seat, answered_at=None, over="").exclude(
            number=0
        )
        for question in row:
            gathered = msgspec.json.decode(question.line)["view"]["gathered"]
            answer_question(match, 0 if gathered >= goal else 1, seat)


def list_choices(match: Match, seat: int = 0) -> list[ChoiceMade]:
    """Return a seat's choices in the log."""
    entries = [read(line) for line in lines_of(EventAppender(match.stream_id))]
    return [entry for entry in entries if isinstance(entry, ChoiceMade) and entry.seat == seat]


def create_owner_token(version: BotVersion, *scopes: str) -> str:
    """Return a token of a bot's owner."""
    return create_token(version.bot.owner, scopes=scopes or ("play",))


class RemoteProgram:
    """A remote bot's program, controlled by the test."""

    def __init__(self, port: int, version: BotVersion, token: str = "", **more: str) -> None:
        """Connect; raises InvalidStatus if the arena refuses."""
        asked = urlencode({"bot": version.bot.slug, **more})
        header = {"Authorization": f"Token {token or create_owner_token(version)}"}
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
        """Return the next message that contains a question."""
        while (message := self.read()).get("line", {}).get("type") != "ask":
            pass
        return message

    def say(self, seat: str, line: Any) -> None:
        """Send a line."""
        self.socket.send(json.dumps({"seat": seat, "line": line}))

    def answer(self, message: dict[str, Any], **more: Any) -> None:
        """Answer a question of Pig, holding at eight."""
        line = message["line"]
        self.say(message["seat"], {"id": line["id"], "choose": int(line["view"]["gathered"] < 8), **more})

    def play(self) -> list[dict[str, Any]]:
        """Answer until the match ends; return all messages."""
        messages = [self.read()]
        while messages[-1].get("line", {}).get("type") != "over":
            if messages[-1].get("line", {}).get("type") == "ask":
                self.answer(messages[-1])
            messages.append(self.read())
        return messages

    def code(self) -> int:
        """Read to the end and return the close code of the connection."""
        with suppress(ConnectionClosed):
            while True:
                self.read()
        assert self.socket.close_code is not None
        return self.socket.close_code
