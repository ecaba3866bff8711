"""Pages answer the same after all matches are archived and the ladders are pruned."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client, override_settings

from bots.models import BotVersion
from replays import result_totals_by_seat
from replays.models import EventStream, EventStreamPage, Match
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.bucket import use_archive
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.ladders import ladder_court_ratings
from tournaments.ladders.ladder_row_pruning import prune_ladders

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

SEARCHES = (
    "/search/?game=pig",
    "/search/?bot=b1",
    "/search/?bot=b1&opponent=b2",
    "/search/?bot=b1&result=won",
    "/search/?least=10",
    "/search/?least=1000",
    "/search/?excuse=crash",
    "/api/v1/matches/?bot=b1",
    "/api/v1/matches/?game=pig&status=closed",
    "/api/v1/matches/?limit=2",
)
ALWAYS_NEW = re.compile(
    rb'csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": ?"[^"]*"|nonce="[^"]*"'
    rb"|as of <time.*?</time>"
)
"""Parts of a page that differ at every request: times and tokens."""
MOVING = ("/status/", "/metrics", "/healthz", "/accounts/", "safety", "/acts/", "/entries/", "/proposals/", "/desk/")
"""Paths of pages that report the state of the arena or remember earlier requests."""


def answers(client: Client, paths: list[str]) -> Iterator[tuple[str, tuple[int, bytes]]]:
    for path in paths:
        cache.clear()
        answer = client.get(path)
        # tests/replays/test_archiving.py compares exports, which are streaming responses
        body = b"" if answer.streaming else answer.content
        yield path, (answer.status_code, ALWAYS_NEW.sub(b"", body))


def test_archiving_matches_and_pruning_ladders_changes_no_page(tmp_path: Path, admin_client: Client) -> None:
    # the test reads the pages many times within one rate-limit window
    many = dict.fromkeys(settings.THROTTLES, "1000000/s")
    with use_archive(str(tmp_path / "archive")), override_settings(SIGNING_KEY=tmp_path / "key", THROTTLES=many):
        ada: BotVersion = create_active_version(slug="ada", owner=AuthorFactory.create(username="ada"))
        league = start_league([ada, *create_entrants(3)], rounds=2, games=2)
        play_all(league)
        result_totals_by_seat.add_all()
        ladder_court_ratings.refit("pig")
        match = Match.objects.filter(seats__version=ada).order_by("pk")[0]
        known = {"match": match.pk, "ada": ada}
        paths = sorted(
            {fill_url_pattern(path, known) for path in list_url_patterns() if not any(word in path for word in MOVING)}
        )
        clients = {"visitor": Client(), "staff": admin_client, "ada": Client()}
        clients["ada"].force_login(ada.bot.owner)
        before = {name: dict(answers(client, [*paths, *SEARCHES])) for name, client in clients.items()}
        again = {name: dict(answers(client, [*paths, *SEARCHES])) for name, client in clients.items()}
        call_command("archive", "--older-than", "0d", stdout=io.StringIO())
        prune_ladders()
        assert not EventStreamPage.objects.filter(stream__pk__startswith="match/").exists()
        after = {name: dict(answers(client, [*paths, *SEARCHES])) for name, client in clients.items()}
    for name, told in before.items():
        assert [path for path in told if told[path] != again[name][path]] == [], "what differs by itself proves nothing"
        assert [path for path in told if told[path] != after[name][path]] == []
    assert not EventStream.objects.filter(pk__startswith="match/").exists(), "reading makes no rows"
    assert sum(status == 200 for status, _ in after["visitor"].values()) > 40
