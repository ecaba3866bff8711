"""One object behind every URL of the site, and one person of each role."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from notices.webhooks.webhook_endpoints import send_test
from people.person_roles import make_organiser
from replays.models import Match
from tests.support.factories import AuthorFactory
from tests.support.hostile.permissions import ROLES
from tests.support.league_entries import create_own_version, open_league
from tests.support.webhooks import create_webhook
from tournaments.league_series.services import LeagueSeriesSettings, add_league, open_series
from tournaments.leagues import services
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.organiser_action_submission import propose_or_act


def create_objects_of_every_url() -> dict[str, Any]:
    """Create an object behind every URL, and a person of each role; return the values for parameters in URLs."""
    people: dict[str, User] = {role: AuthorFactory.create(username=role) for role in ROLES if role != "visitor"}
    people["staff"].is_staff = True
    people["staff"].save()
    make_organiser(people["organiser"])
    league, ada = open_league(by="organiser"), create_own_version("ada", people["owner"])
    services.enter_bot(league.pk, ada)
    open_league(slug="other", by="elsewhere")
    services.enter_bot(league.pk, create_own_version("olgas", people["organiser"]))
    LeagueRole.objects.create(league=league, person=people["judge"], role=LeagueRole.Role.JUDGE)
    proposal = propose_or_act(people["organiser"], league, "pause", {}, "the hall is locked")
    assert proposal is not None
    open_series(people["organiser"], LeagueSeriesSettings(slug="night", name="Nights", game="pig"))
    add_league(people["organiser"], "night", "night")
    services.start(league.pk)
    match = Match.objects.get()
    hook = create_webhook("https://bots.example/", people["owner"])
    key = send_test(people["owner"], hook.pk).key
    known = {"people": people, "ada": ada, "match": match.pk, "proposal": str(proposal.pk)}
    return known | {"hook": str(hook.pk), "key": key}
