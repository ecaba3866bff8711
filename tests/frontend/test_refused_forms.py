"""Forms with refused content are shown again with the typed values, and every status has a label."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.utils import translation

from frontend.templatetags.display_filters import status_word
from people.person_roles import make_organiser
from replays.models import Match
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.league_entries import open_league
from tests.support.leagues import create_entrants, start_league
from tests.support.people import open_session
from tournaments.models.predictions import Prediction
from tournaments.organisers.league_templates import save_template
from tournaments.predictions.queries import read_predictions

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def olga() -> User:
    olga: User = AuthorFactory.create(username="olga")
    make_organiser(olga)
    return olga


def test_an_act_whose_reason_is_refused_is_shown_again_with_everything_that_was_typed(olga: User) -> None:
    open_league(by="olga")
    client, form = (
        open_session(olga),
        {"act": "correct", "name": "Night", "description": "A long text.", "why": "a\u200bb"},
    )
    shown = client.post("/leagues/night/desk/", form).content.decode()
    digest = re.search('name="confirm" value="([0-9a-f]+)"', shown)
    assert digest
    refused = client.post("/leagues/night/desk/", form | {"confirm": digest[1]})
    page = refused.content.decode()
    assert refused.status_code == 400
    assert "a reason is one line of printable characters." in page
    assert "A long text." in page
    assert 'value="a\u200bb"' in page


def test_predictions_that_are_refused_are_shown_again_with_all_choices() -> None:
    fan = AuthorFactory.create(username="fan")
    start_league(create_entrants(), held=True)
    first, second = read_predictions("night", fan).tables
    chosen, elsewhere = first.choices[1].entry, first.choices[0].entry
    fields = {"table-1-1": str(chosen), "table-1-2": str(elsewhere)}
    refused = open_session(fan).post("/leagues/night/predictions/", fields)
    assert refused.status_code == 400
    assert f"is not at table {second.table} of round 1" in refused.content.decode()
    assert re.findall(r'<option value="(\d+)" selected', refused.content.decode()) == [str(chosen)]
    assert not Prediction.objects.exists()


def test_a_template_with_a_used_name_is_refused_with_the_form_and_the_name(olga: User) -> None:
    open_league(by="olga")
    save_template(olga, "night", "Court")
    refused = open_session(olga).post("/templates/", {"league": "night", "name": "Court"})
    page = refused.content.decode()
    assert refused.status_code == 400
    assert "choose another name" in page
    assert '<input id="name" name="name" value="Court"' in page


@pytest.mark.parametrize("language", ["en", "zh-hant"])
def test_every_status_of_a_match_has_a_label_in_every_language(language: str) -> None:
    with translation.override(language):
        labels = [status_word(status) for status in Match.Status.values]
    assert len(set(labels)) == len(labels)
    assert "adjourned" not in labels


def test_one_match_that_waits_before_a_challenge_is_named_in_the_singular() -> None:
    ada = create_active_version(slug="mine").bot.owner
    bold = create_active_version(slug="bold")
    other = create_active_version(slug="cyd").bot.owner
    open_session(other).post("/challenge/", {"bot": "cyd", "against": bold.bot.slug, "matches": "1"})
    client = open_session(ada)
    client.post("/challenge/", {"bot": "mine", "against": bold.bot.slug, "matches": "1"})
    assert "1 friendly match waits before it" in client.get("/challenge/").content.decode()
