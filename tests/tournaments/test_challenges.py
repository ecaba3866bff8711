"""An author asks for matches: against whom he chooses or his neighbours, so many a day, rated among friends alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from bots.models import BotVersion
from bots.outside import bot_by_hand
from bots.quotas import set_quota
from ftk_core.league.state import NotNow
from people.acts_of_staff import at_the_shell
from replays.models import Match
from replays.tasks import play_next
from tests.support.bouts import SILENT, begin, play_on
from tests.support.factories import AuthorFactory, active_version
from tests.support.uploads import client_of
from tournaments import challenging, tasks
from tournaments.bounds import CONTINUOUS, FRIENDLY
from tournaments.challenge_models import ChallengeMatch
from tournaments.challenge_queries import list_challenges, read_row
from tournaments.challenging import Wanted, challenge
from tournaments.desk import Refused
from tournaments.models import CourtRating, Rating

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada() -> User:
    person: User = AuthorFactory.create(username="ada")
    active_version(slug="mine", owner=person)
    active_version(SILENT, slug="bold")
    return person


def play_all() -> None:
    while play_next("friendly"):
        pass
    challenging.sweep()


def wanted(**more: Any) -> Wanted:
    return Wanted(**{"bot": "mine", "against": ("bold",), "matches": 4, **more})


def test_nobody_is_sat_down_by_somebody_else(ada: User) -> None:
    bob = AuthorFactory.create(username="bob")
    for person, said in ((bob, "bob-by-hand is a person"), (ada, "ada-by-hand is a person")):
        by_hand = bot_by_hand(person, "pig").bot.slug
        with pytest.raises(NotNow, match=said):
            challenge(ada, wanted(against=(by_hand,)))
    with pytest.raises(NotNow, match="ada-by-hand is you"):
        challenge(ada, wanted(bot="ada-by-hand"))
    assert not Match.objects.exists()


@pytest.mark.slow
def test_matches_are_played_seats_turn_and_shares_are_told_with_their_interval(ada: User) -> None:
    row = challenge(ada, wanted())
    assert (read_row(row).state, read_row(row).done) == ("playing", 0)
    play_all()
    shown = read_row(row)
    assert (shown.state, shown.done, len(shown.played)) == ("over", 4, 4)
    best, other = shown.shares
    assert (best.name, best.share, best.wins, best.games) == ("mine-1", 1.0, 4, 4)
    assert other.share == 0.0
    assert {match.kind for match in Match.objects.all()} == {"friendly"}
    firsts = [match.seats.get(seat=0).version.bot.slug for match in Match.objects.order_by("challenge__number")]
    assert firsts == ["mine", "bold", "mine", "bold"]


@pytest.mark.slow
def test_they_count_among_friends_alone_and_on_named_deals_nowhere(ada: User) -> None:
    challenge(ada, wanted(matches=2, seed="seven"))
    play_all()
    assert not Rating.objects.exists()
    challenge(ada, wanted(matches=2))
    play_all()
    tasks.refit("pig")
    assert set(Rating.objects.values_list("season", flat=True)) == {FRIENDLY}
    assert CourtRating.objects.filter(season=FRIENDLY).count() == 2


def test_the_same_seed_gives_the_same_deals_and_without_one_nobody_knows_them(ada: User) -> None:
    seeds = [challenge(ada, wanted(matches=2, seed=seed)).pk for seed in ("seven", "seven", "", "")]
    deals = [
        [bytes(seed) for seed in ChallengeMatch.objects.filter(challenge=pk).values_list("match__seed", flat=True)]
        for pk in seeds
    ]
    assert deals[0] == deals[1]
    assert deals[2] != deals[3]


@pytest.mark.slow
def test_in_duplicate_each_deal_is_played_from_every_seat_and_counts_once_it_was(ada: User) -> None:
    row = challenge(ada, wanted(duplicate=True))
    deals = [bytes(one.match.seed) for one in row.matches.order_by("number").select_related("match")]
    assert deals[0] == deals[1] != deals[2] == deals[3]
    for _ in range(3):
        play_next("friendly")
    challenging.sweep()
    assert {line.games for line in read_row(row).shares} == {2}, "the third waits for its twin"
    with pytest.raises(NotNow, match="each deal takes 2 matches"):
        challenge(ada, wanted(matches=3, duplicate=True))


@pytest.mark.slow
def test_neighbours_are_whoever_stands_nearest_on_the_continuous_ladder(ada: User) -> None:
    with pytest.raises(NotNow, match="mine has no neighbours yet"):
        challenge(ada, wanted(against=(), neighbours=True))
    begin()
    play_on(4)
    row = challenge(ada, wanted(against=(), neighbours=True))
    assert row.names == ["mine-1", "bold-1"]
    assert CourtRating.objects.filter(season=CONTINUOUS).exists()


def test_a_bot_whose_authors_take_no_challenges_is_left_alone_by_others(ada: User, client: Client) -> None:
    bold = BotVersion.objects.get(bot__slug="bold").bot
    client.force_login(bold.owner)
    team = "/bots/bold/team/"
    assert "takes no challenges any more" in client.post(team, {"challenges": "no"}, follow=True).content.decode()
    assert "Challenge it" not in client.get("/bots/bold/").content.decode()
    for bot in (bold, BotVersion.objects.get(bot__slug="mine").bot):
        CourtRating.objects.create(
            season=CONTINUOUS, game="pig", bot=bot, version=1, value=1500, low=1400, high=1600, provisional=True
        )
    with pytest.raises(NotNow, match="bold takes no challenges; its authors have said so"):
        challenge(ada, wanted())
    with pytest.raises(NotNow, match="too few neighbours"):
        challenge(ada, wanted(against=(), neighbours=True))
    active_version(slug="bolder", owner=bold.owner)
    assert challenge(bold.owner, wanted(bot="bolder"))
    client.post(team, {"challenges": "yes"})
    assert challenge(ada, wanted())


def test_staff_says_otherwise_of_one_author(ada: User) -> None:
    set_quota(at_the_shell("root", "they teach a class"), ada, {"challenges": 3})
    with pytest.raises(NotNow, match="you may ask for 3 matches within 24 hours, and 3 are left"):
        challenge(ada, wanted())


def test_so_many_matches_may_be_asked_for_in_a_day(ada: User, settings: Any) -> None:
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "challenges_each": 5}
    challenge(ada, wanted())
    assert list_challenges(ada).left == 1
    with pytest.raises(NotNow, match="5 matches within 24 hours, and 1 are left"):
        challenge(ada, wanted())
    challenge(ada, wanted(matches=1))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"against": ()}, "say whom to challenge"),
        ({"against": ("mine",)}, "not your own"),
        ({"against": ("bold", "bold")}, "say each bot once"),
        ({"matches": 0}, "1 to 200 matches, not 0"),
        ({"against": ("king",)}, "king plays to_court_the_king, mine plays pig"),
        ({"seed": "x" * 61}, "up to 60 printable letters"),
    ],
)
def test_what_cannot_be_played_is_told_and_nothing_is_ordered(ada: User, more: dict[str, Any], said: str) -> None:
    active_version(slug="king", game="to_court_the_king")
    with pytest.raises(NotNow, match=said):
        challenge(ada, wanted(**more))
    assert not Match.objects.exists()


def test_nobody_challenges_with_a_bot_of_others_or_against_nobody(ada: User) -> None:
    with pytest.raises(Refused, match="bold is somebody else's bot"):
        challenge(ada, wanted(bot="bold", against=("mine",)))
    with pytest.raises(BotVersion.DoesNotExist, match="no version of a bot 'ghost' is active"):
        challenge(ada, wanted(against=("ghost",)))


def test_how_many_wait_before_it_is_told(ada: User) -> None:
    other = active_version(slug="cyd").bot.owner
    challenge(other, wanted(bot="cyd"))
    row = challenge(ada, wanted())
    assert (read_row(row).state, read_row(row).ahead) == ("waiting", 4)


def test_programs_ask_once_by_a_key_and_see_their_own_challenges_alone(ada: User) -> None:
    client, key = client_of(ada), {"HTTP_IDEMPOTENCY_KEY": "one"}
    said = {"bot": "mine", "against": ["bold"], "matches": 2}
    first, again = (client.post("/api/v1/challenges/", said, format="json", **key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"]
    assert Match.objects.count() == 2
    play_all()
    assert client.get(f"/api/v1/challenges/{first.json()['id']}/").json()["state"] == "over"
    assert [row["id"] for row in client.get("/api/v1/challenges/").json()["rows"]] == [first.json()["id"]]
    stranger = client_of(AuthorFactory.create())
    assert stranger.get(f"/api/v1/challenges/{first.json()['id']}/").status_code == 404
    both = client.post("/api/v1/challenges/", {**said, "neighbours": True}, format="json")
    assert (both.status_code, "but not both" in both.content.decode()) == (400, True)


def test_an_author_asks_for_them_on_a_page_which_tells_how_far_they_are(ada: User, client: Client) -> None:
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
