"""Approval of proposed acts: the act has the effects that the approver has seen, even if the league has changed."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_facts import StageEnded
from tests.support.database_snapshots import create_or_restore
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants, end_matches
from tests.support.people import open_session
from tournaments.api import leagues
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import compute_etag, load, read_facts
from tournaments.models import League
from tournaments.models.organiser_roles import LeagueRole, Proposal
from tournaments.organisers.organiser_action_preview import OutdatedActionPreviewError
from tournaments.organisers.organiser_action_submission import preview_act, propose_or_act

pytestmark = pytest.mark.django_db(transaction=True)
CUP = (StageSettings(format="swiss", seats=2, rounds=1), StageSettings(format="knockout", seats=2, qualify=4))
DESK = "/leagues/night/desk/"


@pytest.fixture
def proposal() -> Proposal:
    """Return the proposal of olga, who plays, to end the first of two stages."""
    return create_or_restore(_create_proposal)


def _create_proposal() -> Proposal:
    olga: User = AuthorFactory.create(username="olga")
    league = open_league(by="olga", stages=CUP)
    for version in (*create_entrants(3), create_own_version("bot-of-olga", olga)):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    proposal = propose_or_act(olga, league, "end", {}, "the hall closes")
    assert proposal
    return proposal


@pytest.fixture
def carl(proposal: Proposal) -> User:
    """Return a co-organiser without a bot in the league."""
    person: User = AuthorFactory.create(username="carl")
    LeagueRole.objects.create(league=proposal.league, person=person, role=LeagueRole.Role.CO_ORGANISER)
    return person


def play_to_second_stage(league: League) -> None:
    end_matches(league, Random(1))
    assert load(league)[1].begun[-1].number == 2


def list_ended_stages(league: League) -> list[int]:
    return [fact.stage for fact in read_facts(league) if isinstance(fact, StageEnded)]


def post_to_desk(client: Client, **body: Any) -> str:
    return str(client.post(DESK, body, follow=True).content.decode())


def find_digest(page: str) -> str:
    shown = re.search('name="confirm" value="([0-9a-f]+)"', page)
    assert shown
    return shown[1]


@pytest.mark.slow
def test_the_organisers_page_shows_the_effects_of_a_proposal_before_its_approval(
    proposal: Proposal, carl: User
) -> None:
    client = open_session(carl)
    page = post_to_desk(client, approve=proposal.pk)
    assert "What will change" in page
    assert "Stage 1 was ended by its organiser." in page
    assert list_ended_stages(proposal.league) == []
    assert "It is approved, and done." in post_to_desk(client, approve=proposal.pk, confirm=find_digest(page))
    assert list_ended_stages(proposal.league) == [1]
    assert load(proposal.league)[1].begun[-1].number == 2


@pytest.mark.slow
def test_the_organisers_page_shows_changed_effects_of_a_proposal_and_asks_again(proposal: Proposal, carl: User) -> None:
    client = open_session(carl)
    digest = find_digest(post_to_desk(client, approve=proposal.pk))
    play_to_second_stage(proposal.league)
    outdated = post_to_desk(client, approve=proposal.pk, confirm=digest)
    assert "The effects have changed since they were shown. They are now:" in outdated
    assert "Stage 2 was ended by its organiser." in outdated
    assert list_ended_stages(proposal.league) == [1]
    assert find_digest(outdated) != digest
    proposal.refresh_from_db()
    assert proposal.status == Proposal.Status.WAITING


@pytest.mark.slow
def test_the_api_refuses_an_approval_if_the_league_has_changed_since_the_etag_of_the_request(
    proposal: Proposal, carl: User
) -> None:
    client, address = open_session(carl), f"/api/v1/leagues/night/proposals/{proposal.pk}/"
    body, seen = {"approve": True}, compute_etag(proposal.league)
    for verb in ("pause", "resume"):
        propose_or_act(carl, proposal.league, verb, {}, "a break")
    outdated = client.post(address, body, content_type="application/json", headers={"If-Match": seen})
    assert (outdated.status_code, list_ended_stages(proposal.league)) == (412, [])
    headers = {"If-Match": compute_etag(proposal.league)}
    assert client.post(address, body, content_type="application/json", headers=headers).status_code == 201
    assert list_ended_stages(proposal.league) == [1]


@pytest.mark.slow
def test_an_extension_of_a_stage_needs_a_new_preview_once_another_stage_has_begun() -> None:
    olga: User = AuthorFactory.create(username="olga")
    swiss = StageSettings(format="swiss", seats=2, rounds=1)
    league = open_league(by="olga", stages=(swiss, swiss))
    for version in create_entrants(4):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    shown = preview_act(olga, league, "extend", {"rounds": 3})
    play_to_second_stage(league)
    with pytest.raises(OutdatedActionPreviewError):
        propose_or_act(olga, league, "extend", {"rounds": 3}, "there is time", shown.digest)


def test_the_api_refuses_an_action_if_the_league_changed_while_it_was_read(
    proposal: Proposal, carl: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, serialize = open_session(carl), leagues._serialize_league

    def change_afterwards(slug: str) -> Any:
        content = serialize(slug)
        propose_or_act(carl, proposal.league, "pause", {}, "a break")
        return content

    monkeypatch.setattr(leagues, "_serialize_league", change_afterwards)
    seen = client.get("/api/v1/leagues/night/")
    headers = {"If-Match": seen["ETag"]}
    acted = client.post("/api/v1/leagues/night/acts/resume/", {"why": "go on"}, "application/json", headers=headers)
    assert (seen.json()["paused"], acted.status_code) == (False, 412)
