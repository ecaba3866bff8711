"""Two whole matches that the public cannot tell apart have one public review, however and whenever it is fetched."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ftk_core.games import shelf, versions
from ftk_core.questions import opening_of
from replays.models import Match
from replays.review_models import Review
from replays.reviews import working
from replays.reviews.asking import ask_at_the_shell
from replays.reviews.working import reckon
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match
from tests.support.laws.whole import AnyGame, Twins, whole_twins
from tests.support.lengths import either

pytestmark = pytest.mark.django_db
SHORT = "kings_court"
PAIRS = either({SHORT: 3}, {SHORT: 20, "for_the_king": 3})
"""Of each game so many; a match of For the King has ten times as many facts."""
REVIEW = "/api/v1/matches/{match}/review/?eyes=public"
ADDRESSES = (REVIEW, "/matches/{match}/review/?eyes=public", "/matches/{match}/", "/embed/{match}/")
"""The review, its page without a script, and the two pages whose viewer fetches the first."""
PASSING = re.compile(rb"nonce=\S+|csrfmiddlewaretoken.*?>")
"""What is another whenever it is asked for."""
COUNTED = ("ETag", "Expires", "RateLimit")
"""Heads that say when somebody asked, how often, or what the body hashes to, which is compared itself."""
Answer = tuple[str, int, list[tuple[str, str]], bytes]


@pytest.fixture(autouse=True)
def _a_fact_a_page(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let a review be rough, and each of its facts be seen to come."""
    monkeypatch.setattr(working, "PAGE_SECONDS", 0.0)
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")


class Spectator:
    """Somebody who is not signed in, and writes down every answer but the match's own name and its log's hash."""

    def __init__(self, match: Match) -> None:
        self._match, self._browser = match, Client()
        self._own = (match.pk, StreamLog(match.stream_id).head.hex())
        self.answers: list[Answer] = []

    def look(self, addresses: tuple[str, ...] = ADDRESSES) -> None:
        """Fetch addresses."""
        for address in addresses:
            answer = self._browser.get(address.format(match=self._match.pk))
            heads = sorted((name, value) for name, value in answer.headers.items() if name not in COUNTED)
            self.answers.append((address, answer.status_code, heads, self._said(answer.content)))

    def _said(self, body: bytes) -> bytes:
        for name in self._own:
            body = body.replace(name.encode(), b"*" * len(name))
        return PASSING.sub(b"*", body)


def matches_of(name: str, twins: Twins) -> list[Match]:
    """Return two matches of the same bots that ended at the same time, each with its log."""
    versions = [active_version(game=name) for _ in opening_of(twins.logs[0]).players]
    found = [waiting_match(versions) for _ in twins.logs]
    for match, lines in zip(found, twins.logs, strict=True):
        StreamLog(match.stream_id).append([line + b"\n" for line in lines], 0)
    Match.objects.update(status=Match.Status.CLOSED, closed_at=timezone.now())
    return found


def followed(match: Match, rules: AnyGame, monkeypatch: pytest.MonkeyPatch, eyes: str = "public") -> list[Answer]:
    """Return all that a spectator is told while a match is reviewed by these rules, in order."""
    monkeypatch.setitem(shelf(), rules.name, rules)
    monkeypatch.setitem(versions(rules.name), rules.version, rules)
    spectator = Spectator(match)
    spectator.look()
    row = ask_at_the_shell(match.pk, eyes)
    spectator.look()
    with monkeypatch.context() as watched:
        watched.setattr(working, "_let_go", lambda: spectator.look((REVIEW,)))
        assert reckon(row.pk)
    spectator.look()
    return spectator.answers


def different(told: list[Answer], other: list[Answer]) -> list[tuple[int, Answer | None, Answer | None]]:
    """Return where the answers are not the same, or end."""
    return [(number, *pair) for number, pair in enumerate(zip_longest(told, other)) if pair[0] != pair[1]]


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_who_is_not_signed_in_is_told_the_same_of_both_at_every_moment(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = list(islice(whole_twins(name), PAIRS[name]))
    assert len(pairs) == PAIRS[name]
    for twins in pairs:
        assert twins.logs[0] != twins.logs[1]
        one, other = matches_of(name, twins)
        told = followed(one, twins.rules[0], monkeypatch)
        assert different(told, followed(other, twins.rules[1], monkeypatch)) == []
        done = json.loads(told[-len(ADDRESSES)][3])
        assert (done["status"], done["done"], len(done["review"]["curve"])) == (
            "done",
            done["total"],
            done["total"] / 2,
        )
        assert len(told) > 3 * len(ADDRESSES) + done["total"], "each fact was seen to come"


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_the_comparison_finds_a_review_that_deals_nothing_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for twins in islice(whole_twins(name), 12):
        open_rules = [replace(rules, resample=lambda state, *_: state) for rules in twins.rules]
        told = [
            followed(match, rules, monkeypatch)
            for match, rules in zip(matches_of(name, twins), open_rules, strict=True)
        ]
        if found := different(*told):
            assert {one[0] for _, one, _ in found if one} == set(ADDRESSES[:2])
            return
    pytest.fail("no two reviews differed")


@pytest.mark.slow
def test_before_a_match_is_released_nothing_is_told_of_its_review_at_any_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twins = next(whole_twins(SHORT))
    one, other = matches_of(SHORT, twins)
    Match.objects.update(released=False)
    told = followed(one, twins.rules[0], monkeypatch)
    assert different(told, followed(other, twins.rules[1], monkeypatch)) == []
    assert len({(address, code, body) for address, code, _, body in told}) == len(ADDRESSES), "nobody sees it come"
    assert [code for _, code, *_ in told[: len(ADDRESSES)]] == [403, 403, 200, 200]
    assert set(Review.objects.values_list("status", flat=True)) == {Review.Status.DONE}
    assert not any(word in body for *_, body in told for word in (b"curve", b"playouts", b"ledger"))
