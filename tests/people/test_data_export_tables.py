"""Every table with a reference to a person is in the data export of that person, or is left out for a stated reason."""

from __future__ import annotations

import json
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from bots.models import Quota
from people.account_erasure import export_person
from tests.support.factories import AuthorFactory
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.leagues.services import open_league
from tournaments.models.challenges import Challenge
from tournaments.models.league_logos import LeagueLogo
from tournaments.models.league_templates import LeagueTemplate
from tournaments.models.organiser_roles import LeagueRole, Proposal, Refusal
from tournaments.models.series import Series

pytestmark = pytest.mark.django_db(transaction=True)
OWN_APPS = ("bots", "frontend", "notices", "people", "replays", "tournaments")
FILES = {
    "bots.ApiToken.owner": "tokens.json",
    "bots.Bot.owner": "bots.json",
    "bots.CoAuthor.person": "teams.json",
    "bots.FormerMember.person": "teams.json",
    "bots.Quota.person": "quotas.json",
    "notices.Follow.person": "follows.json",
    "notices.NotificationPreference.person": "wishes.json",
    "notices.Notice.person": "notices.json",
    "notices.WebhookEndpoint.owner": "webhooks.json",
    "people.Ban.person": "profile.json",
    "people.Invitation.made_by": "profile.json",
    "people.Invitation.used_by": "profile.json",
    "people.PersonLanguage.person": "profile.json",
    "people.SignIn.owner": "profile.json",
    "people.StaffAct.by": "profile.json",
    "people.StaffAct.person": "profile.json",
    "replays.Match.asked_by": "matches.json",
    "replays.MatchReview.asked_by": "reviews.json",
    "tournaments.Challenge.by": "challenges.json",
    "tournaments.Comment.hidden_by": "hidden_comments.json",
    "tournaments.Comment.person": "comments.json",
    "tournaments.CommentReport.person": "comment_reports.json",
    "tournaments.EntryAnswers.person": "entry_answers.json",
    "tournaments.LeagueLogo.set_by": "league_logos.json",
    "tournaments.LeagueRole.person": "league_roles.json",
    "tournaments.LeagueTemplate.made_by": "league_templates.json",
    "tournaments.Prediction.person": "predictions.json",
    "tournaments.Proposal.by": "proposals.json",
    "tournaments.Proposal.decided_by": "decided_proposals.json",
    "tournaments.Refusal.person": "refusals.json",
    "tournaments.Series.owner": "series.json",
}
LEFT_OUT = {
    "bots.DeviceAuthorizationRequest.approved_by": "deleted within minutes, and the token that it creates is exported"
}


def export_files(person: User) -> dict[str, Any]:
    with export_person(person) as file, ZipFile(file) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}


def test_every_table_that_refers_to_a_person_is_exported_or_left_out_for_a_reason() -> None:
    references = {
        f"{model._meta.app_label}.{model.__name__}.{field.name}"
        for app in OWN_APPS
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
        if field.related_model is User and field.concrete
    }
    assert references == FILES.keys() | LEFT_OUT.keys()
    assert set(export_files(AuthorFactory())) == set(FILES.values()) | {"deliveries.json", "entries.json"}


@pytest.mark.slow
def test_the_data_export_has_roles_quotas_proposals_refusals_challenges_series_templates_and_logos() -> None:
    person, other = AuthorFactory(), AuthorFactory()
    league = open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1, games=1))
    Quota.objects.create(person=person, uploads=7)
    LeagueRole.objects.create(league=league, person=person, role="judge")
    own = Proposal.objects.create(league=league, by=person, verb="exclude", told={"entry": 1}, why="twice")
    Proposal.objects.create(league=league, by=other, verb="pause", told={}, decided_by=person)
    Refusal.objects.create(league=league, person=person, what="pause", why="a judge may not")
    Challenge.objects.create(by=person, game="pig", versions=[1, 2], names=["a-1", "b-1"], size=4)
    Series.objects.create(slug="cup", name="Cup", game="pig", owner=person)
    LeagueTemplate.objects.create(name="weekly", terms="{}", made_by=person)
    LeagueLogo.objects.create(league=league, body=b"", set_by=person)
    files = export_files(person)
    assert files["quotas.json"] == [{"uploads": 7, "disk": None, "trials": None, "challenges": None, "reviews": None}]
    assert files["league_roles.json"][-1] == {"league__slug": league.slug, "role": "judge"}
    assert [(row["verb"], row["told"], row["why"]) for row in files["proposals.json"]] == [
        ("exclude", {"entry": 1}, own.why)
    ]
    assert [row["verb"] for row in files["decided_proposals.json"]] == ["pause"]
    assert [row["why"] for row in files["refusals.json"]] == ["a judge may not"]
    assert [row["names"] for row in files["challenges.json"]] == [["a-1", "b-1"]]
    assert [row["slug"] for row in files["series.json"]] == ["cup"]
    assert [row["name"] for row in files["league_templates.json"]] == ["weekly"]
    assert [row["league__slug"] for row in files["league_logos.json"]] == [league.slug]
    assert not any(rows for name, rows in export_files(other).items() if name not in ("profile.json", "proposals.json"))
