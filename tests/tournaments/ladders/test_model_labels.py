"""Labels of language models on leaderboards, which the authors of remote bots declare."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from bots.models import Bot, BotVersion
from tests.support.factories import AuthorFactory
from tournaments.models import CourtRating, Rating

pytestmark = pytest.mark.django_db
PROMPT = "0123456789abcdef" * 4


@pytest.fixture
def ada() -> User:
    return AuthorFactory.create(username="ada")


def register(author: User, **label: str) -> int:
    """Register a remote bot for Pig with a label and return the number of its version."""
    client = APIClient()
    client.force_authenticate(author)
    answer = client.post("/api/v1/bots/remote/", {"game": "pig", "bot": "sage", **label}, format="json")
    assert answer.status_code == 201, answer.json()
    return int(answer.json()["number"])


def rate(version: int) -> None:
    """Store ratings of the bot, with a court rating of one version."""
    bot = Bot.objects.get(slug="sage")
    Rating.objects.create(bot=bot, game="pig", value=1_000_000, matches=1)
    CourtRating.objects.create(
        bot=bot, game="pig", version=version, value=150_000, low=140_000, high=160_000,
        provisional=False,
    )  # fmt: skip


def test_only_a_changed_language_model_declaration_creates_a_new_bot_version(ada: User) -> None:
    assert register(ada) == 1
    assert register(ada, model="model 5", prompt_hash=PROMPT) == 2
    assert register(ada, model="model 5", prompt_hash=PROMPT) == 2
    assert register(ada) == 2, "no label leaves the declared one"
    assert register(ada, model="model 6", prompt_hash=PROMPT) == 3
    assert register(ada, model="model 6", prompt_hash=PROMPT[:8]) == 4
    assert set(BotVersion.objects.values_list("status", flat=True)) == {"active"}


def test_a_leaderboard_shows_the_language_model_declared_for_the_rated_bot_version(ada: User, client: Client) -> None:
    register(ada, model="model <5>", prompt_hash=PROMPT)
    register(ada, model="model 6")
    rate(version=1)
    (row,) = client.get("/api/v1/ladders/pig/").json()["rows"]
    assert (row["kind"], row["model"], row["prompt_hash"]) == ("remote", "model <5>", PROMPT)
    for page in ("/leaderboards/pig/", "/bots/sage/"):
        html = client.get(page).content.decode()
        assert "model &lt;5&gt; · 01234567</span>" in html
        assert "model 6" not in html


def test_a_leaderboard_shows_no_language_model_for_a_bot_that_declared_none(ada: User, client: Client) -> None:
    register(ada)
    rate(version=1)
    (row,) = client.get("/api/v1/ladders/pig/").json()["rows"]
    assert (row["model"], row["prompt_hash"]) == ("", "")
    assert "Declared by its author" not in client.get("/leaderboards/pig/").content.decode()


@pytest.mark.parametrize(
    "label", [{"model": "m" * 61}, {"prompt_hash": "nonsense"}, {"prompt_hash": "0" * 65}, {"prompt_hash": "0" * 7}]
)
def test_an_invalid_language_model_label_of_a_remote_bot_is_refused(ada: User, label: dict[str, str]) -> None:
    client = APIClient()
    client.force_authenticate(ada)
    answer = client.post("/api/v1/bots/remote/", {"game": "pig", "bot": "sage", **label}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"].keys() == label.keys()
    assert not Bot.objects.exists()
