"""Secrecy of reviews: two matches that look the same to the public have the same public review."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ftk_core.games import list_games, versions
from ftk_core.logged_decisions import opening_of
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews import review_computation
from replays.reviews.review_computation import compute_review
from replays.reviews.review_requests import request_from_shell
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.laws.twin_matches import AnyGame, TwinMatches, list_twin_matches
from tests.support.lengths import short_or_long

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
SHORT = "kings_court"
PAIRS = short_or_long({SHORT: 3}, {SHORT: 20, "for_the_king": 3})
"""Number of pairs of each game. A match of For the King has ten times as many facts."""
REVIEW = "/api/v1/matches/{match}/review/?eyes=public"
ADDRESSES = (REVIEW, "/matches/{match}/review/?eyes=public", "/matches/{match}/", "/embed/{match}/")
"""The review, its page without JavaScript, and the two pages whose viewer fetches the review."""
PASSING = re.compile(rb"nonce=\S+|csrfmiddlewaretoken.*?>")
"""Parts of a response that differ at every request."""
COUNTED = ("ETag", "Expires", "RateLimit")
"""Headers that depend on the time or number of requests, or on the body, which is compared itself."""
Answer = tuple[str, int, list[tuple[str, str]], bytes]


@pytest.fixture(autouse=True)
def _a_fact_a_page(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Make reviews quick, and store each fact as a page of its own."""
    monkeypatch.setattr(review_computation, "PAGE_SECONDS", 0.0)
    settings.REVIEWS = {**settings.REVIEWS, "playouts": 2}
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")


class Spectator:
    """A visitor that records every response, without the match's id and the hash of its log."""

    def __init__(self, match: Match) -> None:
        self._match, self._browser = match, Client()
        self._own = (match.pk, EventAppender(match.stream_id).head.hex())
        self.answers: list[Answer] = []

    def look(self, addresses: tuple[str, ...] = ADDRESSES) -> None:
        """Fetch these URLs."""
        for address in addresses:
            answer = self._browser.get(address.format(match=self._match.pk))
            heads = sorted((name, value) for name, value in answer.headers.items() if name not in COUNTED)
            self.answers.append((address, answer.status_code, heads, self._said(answer.content)))

    def _said(self, body: bytes) -> bytes:
        for name in self._own:
            body = body.replace(name.encode(), b"*" * len(name))
        return PASSING.sub(b"*", body)


def matches_of(name: str, twins: TwinMatches) -> list[Match]:
    """Return two matches of the same bots that ended at the same time, each with its log."""
    versions = [create_active_version(game=name) for _ in opening_of(twins.logs[0]).players]
    found = [create_waiting_match(versions) for _ in twins.logs]
    for match, lines in zip(found, twins.logs, strict=True):
        EventAppender(match.stream_id).append([line + b"\n" for line in lines], 0)
    Match.objects.update(status=Match.Status.CLOSED, closed_at=timezone.now())
    return found


def followed(match: Match, rules: AnyGame, monkeypatch: pytest.MonkeyPatch, eyes: str = "public") -> list[Answer]:
    """Return all responses to a spectator while a match is reviewed by these rules, in order."""
    monkeypatch.setitem(list_games(), rules.name, rules)
    monkeypatch.setitem(versions(rules.name), rules.version, rules)
    spectator = Spectator(match)
    spectator.look()
    row = request_from_shell(match.pk, eyes)
    spectator.look()
    with monkeypatch.context() as watched:
        watched.setattr(review_computation, "_close_connections", lambda: spectator.look((REVIEW,)))
        assert compute_review(row.pk)
    spectator.look()
    return spectator.answers


def different(told: list[Answer], other: list[Answer]) -> list[tuple[int, Answer | None, Answer | None]]:
    """Return the positions at which the responses differ or end."""
    return [(number, *pair) for number, pair in enumerate(zip_longest(told, other)) if pair[0] != pair[1]]


@pytest.mark.parametrize("name", PAIRS)
def test_visitors_see_identical_reviews_of_two_matches_that_differ_only_in_hidden_information(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = list(islice(list_twin_matches(name), PAIRS[name]))
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


@pytest.mark.parametrize("name", PAIRS)
def test_the_secrecy_check_detects_a_match_review_that_uses_the_true_hidden_information(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "ftk_core.native.native_game_rules.load_library", lambda: None
    )  # the leak is in the Python rules only
    for twins in islice(list_twin_matches(name), 12):
        open_rules = [replace(rules, resample=lambda state, *_: state) for rules in twins.rules]
        told = [
            followed(match, rules, monkeypatch)
            for match, rules in zip(matches_of(name, twins), open_rules, strict=True)
        ]
        if found := different(*told):
            assert {one[0] for _, one, _ in found if one} == set(ADDRESSES[:2])
            return
    pytest.fail("no two reviews differed")


def test_the_review_of_a_match_reveals_nothing_before_the_match_is_released(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twins = next(list_twin_matches(SHORT))
    one, other = matches_of(SHORT, twins)
    Match.objects.update(released=False)
    told = followed(one, twins.rules[0], monkeypatch)
    assert different(told, followed(other, twins.rules[1], monkeypatch)) == []
    assert len({(address, code, body) for address, code, _, body in told}) == len(ADDRESSES), "nobody sees it come"
    assert [code for _, code, *_ in told[: len(ADDRESSES)]] == [403, 403, 200, 200]
    assert set(MatchReview.objects.values_list("status", flat=True)) == {MatchReview.Status.DONE}
    assert not any(word in body for *_, body in told for word in (b"curve", b"playouts", b"ledger"))
