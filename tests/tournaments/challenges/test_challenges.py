"""Challenges: opponents, quotas, deals, and ratings on the friendly ladder only."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.author_quotas import set_quota
from bots.models import Bot, BotVersion
from bots.remote_bots import get_bot_by_hand
from ftk_core.league.league_state import CommandRejected
from people.staff_audit_trail import make_shell_actor
from replays.models import Match
from replays.tasks import play_next
from tests.support.bouts import SILENT, play_ladder_matches, start_continuous_ladder
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.uploads import create_api_client
from tournaments import tasks
from tournaments.challenges import services as challenge_services
from tournaments.challenges.queries import list_challenges, summarise_challenge
from tournaments.challenges.services import ChallengeRequest, challenge
from tournaments.league_limits import CHALLENGES, CONTINUOUS
from tournaments.models import CourtRating, Rating
from tournaments.organisers.organiser_permission_checks import MissingRightError

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada() -> User:
    person: User = AuthorFactory.create(username="ada")
    create_active_version(slug="mine", owner=person)
    create_active_version(SILENT, slug="bold")
    return person


def rate_bot(bot: Bot, value: int) -> None:
    """Store a rating of a bot on the continuous ladder."""
    rating = {"value": value, "low": value - 100, "high": value + 100, "provisional": True}
    CourtRating.objects.create(season=CONTINUOUS, game="pig", bot=bot, version=1, **rating)


def play_all() -> None:
    while play_next("friendly"):
        pass
    challenge_services.sweep()


def wanted(**more: Any) -> ChallengeRequest:
    return ChallengeRequest(**{"bot": "mine", "against": ("bold",), "matches": 4, **more})


def test_a_challenge_against_a_human_player_is_refused(ada: User) -> None:
    bob = AuthorFactory.create(username="bob")
    for person, said in ((bob, "bob-by-hand is a person"), (ada, "ada-by-hand is a person")):
        by_hand = get_bot_by_hand(person, "pig").bot.slug
        with pytest.raises(CommandRejected, match=said):
            challenge(ada, wanted(against=(by_hand,)))
    with pytest.raises(CommandRejected, match="ada-by-hand stands for you"):
        challenge(ada, wanted(bot="ada-by-hand"))
    assert not Match.objects.exists()


@pytest.mark.nightly
def test_a_challenge_rotates_the_seats_and_reports_the_fraction_of_points_of_each_bot(ada: User) -> None:
    row = challenge(ada, wanted())
    assert (summarise_challenge(row).state, summarise_challenge(row).done) == ("waiting", 0)
    play_all()
    shown = summarise_challenge(row)
    assert (shown.state, shown.done, len(shown.played)) == ("over", 4, 4)
    wins = Match.objects.filter(seats__version__bot__slug="mine", seats__place=1).count()
    shares = {row.name: (row.share, row.wins, row.games) for row in shown.shares}
    assert shares == {"mine-1": (wins / 4, wins, 4), "bold-1": (1 - wins / 4, 4 - wins, 4)}
    assert shown.shares[0].share >= shown.shares[1].share
    assert {match.kind for match in Match.objects.all()} == {"friendly"}
    firsts = [match.seats.get(seat=0).version.bot.slug for match in Match.objects.order_by("challenge__number")]
    assert firsts == ["mine", "bold", "mine", "bold"]


@pytest.mark.nightly
def test_only_challenges_without_a_given_seed_are_rated_and_only_on_the_friendly_ladder(ada: User) -> None:
    challenge(ada, wanted(matches=2, seed="seven"))
    play_all()
    assert not Rating.objects.exists()
    challenge(ada, wanted(matches=2))
    play_all()
    tasks.refit("pig")
    assert set(Rating.objects.values_list("season", flat=True)) == {CHALLENGES}
    assert CourtRating.objects.filter(season=CHALLENGES).count() == 2


def test_a_challenge_with_a_given_random_seed_repeats_the_deals_of_that_seed(ada: User) -> None:
    rows = [challenge(ada, wanted(matches=2, seed=seed)) for seed in ("seven", "seven", "eight", "", "")]
    seven, again, *others = (
        [bytes(seed) for seed in row.matches.order_by("number").values_list("match__seed", flat=True)] for row in rows
    )
    assert seven == again
    assert len({*seven, *(deal for deals in others for deal in deals)}) == 8, "all other deals differ"


def test_replays_of_a_challenge_with_repeated_deals_become_public_once_all_matches_of_a_deal_ended(
    ada: User,
) -> None:
    row = challenge(ada, wanted(duplicate=True))
    matches = list(row.matches.order_by("number").values_list("match_id", flat=True))
    for ended, released in ((1, 0), (2, 2), (3, 2), (4, 4)):
        Match.objects.filter(pk=matches[ended - 1]).update(status=Match.Status.VOID)
        challenge_services.sweep()
        public = set(Match.objects.filter(released=True).values_list("pk", flat=True))
        assert public == set(matches[:released])


@pytest.mark.nightly
def test_a_challenge_with_repeated_deals_counts_a_deal_only_after_it_was_played_from_every_seat(ada: User) -> None:
    row = challenge(ada, wanted(duplicate=True))
    deals = [bytes(one.match.seed) for one in row.matches.order_by("number").select_related("match")]
    assert deals[0] == deals[1] != deals[2] == deals[3]
    for _ in range(3):
        play_next("friendly")
    challenge_services.sweep()
    assert {line.games for line in summarise_challenge(row).shares} == {2}, "the third waits for its twin"
    with pytest.raises(CommandRejected, match="each deal takes 2 matches"):
        challenge(ada, wanted(matches=3, duplicate=True))


@pytest.mark.nightly
def test_suggested_opponents_are_the_bots_with_the_nearest_ratings_on_the_continuous_ladder(ada: User) -> None:
    with pytest.raises(CommandRejected, match="mine has no neighbours yet"):
        challenge(ada, wanted(against=(), neighbours=True))
    start_continuous_ladder()
    play_ladder_matches(4)
    row = challenge(ada, wanted(against=(), neighbours=True))
    assert row.names == ["mine-1", "bold-1"]
    own = CourtRating.objects.get(season=CONTINUOUS, bot__slug="mine").value
    for slug, lead in (("after", 3), ("below", -2), ("close", 1), ("distant", 90_000)):
        rate_bot(create_active_version(slug=slug).bot, own + lead)
    nearest = challenge(ada, wanted(against=(), neighbours=True))
    assert nearest.names == ["mine-1", "close-1", "below-1", "after-1"]


def test_a_bot_that_accepts_no_challenges_cannot_be_challenged_by_others(ada: User, client: Client) -> None:
    bold = BotVersion.objects.get(bot__slug="bold").bot
    client.force_login(bold.owner)
    team = "/bots/bold/team/"
    assert "takes no challenges any more" in client.post(team, {"challenges": "no"}, follow=True).content.decode()
    assert "Challenge it" not in client.get("/bots/bold/").content.decode()
    for bot in (bold, BotVersion.objects.get(bot__slug="mine").bot):
        rate_bot(bot, 1500)
    with pytest.raises(CommandRejected, match="bold takes no challenges; its authors have said so"):
        challenge(ada, wanted())
    with pytest.raises(CommandRejected, match="too few neighbours"):
        challenge(ada, wanted(against=(), neighbours=True))
    create_active_version(slug="bolder", owner=bold.owner)
    assert challenge(bold.owner, wanted(bot="bolder"))
    client.post(team, {"challenges": "yes"})
    assert challenge(ada, wanted())


def test_staff_can_set_the_challenge_quota_of_one_author(ada: User) -> None:
    set_quota(make_shell_actor("root", "they teach a class"), ada, {"challenges": 3})
    with pytest.raises(CommandRejected, match="you may ask for 3 matches within 24 hours, and 3 are left"):
        challenge(ada, wanted())
    cyd = create_active_version(slug="cyd").bot.owner
    assert challenge(cyd, wanted(bot="cyd")).size == 4, "the quota of others is unchanged"


def test_challenge_matches_per_day_are_limited(ada: User, settings: Any) -> None:
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "challenges_each": 5}
    challenge(ada, wanted())
    assert list_challenges(ada).left == 1
    with pytest.raises(CommandRejected, match="5 matches within 24 hours, and 1 are left"):
        challenge(ada, wanted())
    challenge(ada, wanted(matches=1))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"against": ()}, "say whom to challenge"),
        ({"against": ("mine",)}, "do not name the bot that challenges"),
        ({"against": ("bold", "bold")}, "name each bot only once"),
        ({"matches": 0}, "1 to 200 matches, not 0"),
        ({"against": ("king",)}, "king plays to_court_the_king, mine plays pig"),
        ({"seed": "x" * 61}, "up to 60 printable letters"),
    ],
)
def test_an_invalid_challenge_is_refused_and_creates_no_match(ada: User, more: dict[str, Any], said: str) -> None:
    create_active_version(slug="king", game="to_court_the_king")
    with pytest.raises(CommandRejected, match=said):
        challenge(ada, wanted(**more))
    assert not Match.objects.exists()


def test_a_challenge_needs_a_bot_of_the_challenger_and_an_existing_opponent(ada: User) -> None:
    with pytest.raises(MissingRightError, match="bold is somebody else's bot"):
        challenge(ada, wanted(bot="bold", against=("mine",)))
    with pytest.raises(BotVersion.DoesNotExist, match="no version of a bot 'ghost' is active"):
        challenge(ada, wanted(against=("ghost",)))


def test_a_challenge_is_shown_as_waiting_then_playing_and_then_over(ada: User) -> None:
    row = challenge(ada, wanted())
    assert (summarise_challenge(row).state, summarise_challenge(row).ahead) == ("waiting", 0)
    play_next("friendly")
    assert summarise_challenge(row).state == "playing"
    play_all()
    assert summarise_challenge(row).state == "over"


def test_a_challenge_shows_how_many_matches_wait_before_it(ada: User) -> None:
    other = create_active_version(slug="cyd").bot.owner
    challenge(other, wanted(bot="cyd"))
    row = challenge(ada, wanted())
    assert (summarise_challenge(row).state, summarise_challenge(row).ahead) == ("waiting", 4)


@pytest.mark.slow
def test_requests_with_the_same_idempotency_key_create_one_challenge_visible_to_its_author_only(ada: User) -> None:
    client, key = create_api_client(ada), {"HTTP_IDEMPOTENCY_KEY": "one"}
    said = {"bot": "mine", "against": ["bold"], "matches": 2}
    first, again = (client.post("/api/v1/challenges/", said, format="json", **key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"]
    assert Match.objects.count() == 2
    play_all()
    assert client.get(f"/api/v1/challenges/{first.json()['id']}/").json()["state"] == "over"
    assert [row["id"] for row in client.get("/api/v1/challenges/").json()["rows"]] == [first.json()["id"]]
    stranger = create_api_client(AuthorFactory.create())
    assert stranger.get(f"/api/v1/challenges/{first.json()['id']}/").status_code == 404
    both = client.post("/api/v1/challenges/", {**said, "neighbours": True}, format="json")
    assert (both.status_code, "but not both" in both.content.decode()) == (400, True)


@pytest.mark.slow
def test_an_author_starts_a_challenge_on_the_challenge_page_and_sees_its_progress(ada: User, client: Client) -> None:
    assert client.get("/challenge/").status_code == 302
    client.force_login(ada)
    assert "Name the bots" in client.post("/challenge/", {"bot": "mine", "matches": "2"}).content.decode()
    said = {"bot": "mine", "against": "bold", "matches": "2"}
    wrong = client.post("/challenge/", {**said, "against": "ghost"})
    assert (wrong.status_code, "a bot &#x27;ghost&#x27; is active" in wrong.content.decode()) == (400, True)
    assert client.post("/challenge/", said).status_code == 302
    play_all()
    page = client.get("/challenge/").content.decode()
    assert "mine-1 against bold-1" in page
    assert "Over: 2 of 2" in page
    assert "You may ask for 198 more matches" in page
