"""Pruned ladders show the same as complete ones, even after late matches and corrections."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from replays.match_archiving import archive_match
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.bouts import play_ladder_matches, start_continuous_ladder
from tests.support.bucket import use_archive
from tests.support.factories import create_waiting_match
from tests.support.ladders import NAMES, build_match, create_bot
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.challenges import services as challenge_services
from tournaments.ladders import (
    ladder_match_rating,
    ladder_row_pruning,
    ladder_storage,
    match_rating_order as ladder_order,
)
from tournaments.ladders.ladder_event_types import LeagueMatchRated
from tournaments.ladders.ladder_row_pruning import prune_ladders
from tournaments.ladders.ladder_storage import prune_seats
from tournaments.ladders.match_rating_order import PLACES_PER_LEAGUE
from tournaments.ladders.rating_history import read_steps
from tournaments.league_limits import CHALLENGES, CONTINUOUS
from tournaments.models import HeadToHeadTotal, LadderProjection, RatedMatchSeat, Rating
from tournaments.models.challenges import Challenge, ChallengeMatch
from tournaments.models.continuous_ladders import Bout

PRUNED, WHOLE = "pruned", "whole"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the number of kept matches per bot so low that some matches are pruned."""
    for module in (ladder_order, ladder_storage):
        monkeypatch.setattr(module, "MAX_KEPT_MATCHES", 3)


def league(number: int, count: int = 15) -> list[LeagueMatchRated]:
    luck = Random(number)
    tables = [luck.sample(NAMES, 3) for _ in range(count)]
    return [build_match(f"{number}-{at}", names, luck.choice(((1, 2, 3), (1, 1, 3), (3, 2, 1))), number, at)
            for at, names in enumerate(tables)]  # fmt: skip


def rate(played: list[LeagueMatchRated]) -> None:
    for season in (PRUNED, WHOLE):
        with transaction.atomic():
            ladder_match_rating.rate("pig", season, played, of_all_time=False)


def correct(match: str, places: tuple[int, ...] | None) -> None:
    for season in (PRUNED, WHOLE):
        with transaction.atomic():
            ladder_match_rating._correct_on_ladder("pig", season, match, places, "why")


def read_ladder(season: str) -> list[Any]:
    """Return everything that pages show of a ladder."""
    ratings = Rating.objects.filter(season=season).values_list("bot__slug", "value", "matches", "wins", "last_delta")
    met = HeadToHeadTotal.objects.filter(ladder__season=season, matches__gt=0)
    steps = read_steps("pig", [season], NAMES, 3)
    return [
        sorted(ratings),
        sorted(met.values_list("bot__slug", "other__slug", "halves", "matches")),
        {name: steps[season, name] for name in NAMES},
    ]


@pytest.fixture
def ladders(db: None) -> LadderProjection:
    """A ladder with three leagues: one complete copy, and one copy that was pruned before the third league."""
    for slug in NAMES:
        create_bot(slug)
    for number in (1, 3, 5):
        rate(league(number))
    pruned = LadderProjection.objects.get(season=PRUNED)
    assert prune_seats(pruned, 5 * PLACES_PER_LEAGUE) > 30
    return pruned


def places_of(season: str) -> set[int]:
    return set(RatedMatchSeat.objects.filter(ladder__season=season).values_list("at", flat=True))


def test_pages_of_a_ladder_are_the_same_after_its_old_rows_are_pruned(ladders: LadderProjection) -> None:
    assert read_ladder(PRUNED) == read_ladder(WHOLE)


def test_rebuilding_a_ladder_restores_no_pruned_results_and_gives_the_same_ladder(ladders: LadderProjection) -> None:
    before = places_of(PRUNED)
    ladder_match_rating.rebuild("pig")
    assert places_of(PRUNED) == before < places_of(WHOLE)
    assert read_ladder(PRUNED) == read_ladder(WHOLE)


@pytest.mark.parametrize("number", [2, 4, 6])
def test_rating_an_earlier_league_late_gives_equal_results_on_a_pruned_and_an_unpruned_ladder(
    ladders: LadderProjection, number: int
) -> None:
    rate(league(number))
    assert read_ladder(PRUNED) == read_ladder(WHOLE)


@pytest.mark.slow
@pytest.mark.parametrize("match", ["1-0", "3-14", "5-0", "5-14"])
@pytest.mark.parametrize("places", [(2, 1, 3), None])
def test_a_corrected_result_changes_all_later_ratings_of_a_pruned_ladder(
    ladders: LadderProjection, match: str, places: tuple[int, ...] | None
) -> None:
    before = read_ladder(PRUNED)
    correct(match, places)
    assert read_ladder(PRUNED) == read_ladder(WHOLE) != before


@pytest.mark.slow
def test_a_match_cannot_reuse_the_place_of_a_pruned_match_in_the_rating_order(ladders: LadderProjection) -> None:
    gone = min(places_of(WHOLE) - places_of(PRUNED))
    again = build_match("again", NAMES[:3], (1, 2, 3), gone // PLACES_PER_LEAGUE, (gone >> 8) & 0xFFFF)
    assert ladder_match_rating.make_ladder_match(again).at == gone
    with pytest.raises(ValueError, match="counts already"), transaction.atomic():
        ladder_match_rating.rate("pig", PRUNED, [again], of_all_time=False)


@pytest.mark.slow
def test_a_slower_concurrent_pruning_never_moves_back_the_position_up_to_which_a_ladder_is_pruned(
    ladders: LadderProjection, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled, overtaken = ladders.pruned_before + 1, ladders.pruned_before + 2

    def find_place_while_another_process_prunes(ladder: LadderProjection) -> int:
        prune_seats(LadderProjection.objects.get(pk=ladder.pk), overtaken)
        return settled

    monkeypatch.setattr(ladder_row_pruning, "_find_settled_place", find_place_while_another_process_prunes)
    assert ladder_row_pruning._prune_ladder("pig", PRUNED) == 0
    ladders.refresh_from_db()
    assert ladders.pruned_before == overtaken


def test_correcting_an_unrated_match_of_a_pruned_ladder_raises_lookup_error(ladders: LadderProjection) -> None:
    with pytest.raises(LookupError, match="counts on no ladder"):
        ladder_match_rating.correct("nowhere", None, "")


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_only_ladder_data_of_archived_matches_is_pruned_and_their_results_can_still_be_corrected(
    tmp_path: Path,
) -> None:
    with use_archive(str(tmp_path / "archive")):
        first = start_league(create_entrants(4), rounds=3, games=2, slug="first", season="2026")
        play_all(first)
        assert prune_ladders() == 0, "its matches are not in the archive"
        for match in Match.objects.all():
            archive_match(match)
        before = places_of("2026")
        stands = sorted(Rating.objects.values_list("bot__slug", "season", "value"))
        assert prune_ladders() > 0
        assert prune_ladders() == 0
        at = min(before - places_of("2026"))
        gone = first.tables.get(round=(at >> 24) & 0xFF, number=(at >> 8) & 0xFFFF, game=at & 0xFF)
        call_command("rebuild")
        assert sorted(Rating.objects.values_list("bot__slug", "season", "value")) == stands
        ladder_match_rating.correct(gone.match_id, None, "it was played with the wrong rules")
        assert sorted(Rating.objects.values_list("bot__slug", "season", "value")) != stands
        assert places_of("2026") < before


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_matches_of_the_continuous_ladder_are_pruned_up_to_the_first_unarchived_match(tmp_path: Path) -> None:
    create_entrants(3)
    start_continuous_ladder()
    play_ladder_matches(12)
    steps = read_steps("pig", [CONTINUOUS], ("b0", "b1", "b2"), 3)
    (open_bout, *_), whole = Bout.objects.order_by("-number"), places_of(CONTINUOUS)
    with use_archive(str(tmp_path / "archive")):
        for bout in Bout.objects.exclude(pk=open_bout.pk).select_related("match"):
            archive_match(bout.match)
        assert prune_ladders() > 0
        assert LadderProjection.objects.get(season=CONTINUOUS).pruned_before == PLACES_PER_LEAGUE + open_bout.number
        assert read_steps("pig", [CONTINUOUS], ("b0", "b1", "b2"), 3) == steps
        assert PLACES_PER_LEAGUE + open_bout.number in places_of(CONTINUOUS) < whole


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_challenge_matches_are_pruned_up_to_the_first_unarchived_match(tmp_path: Path) -> None:
    versions = create_entrants(2)
    names = [version.label for version in versions]
    keys = [version.pk for version in versions]
    asked = Challenge.objects.create(by=versions[0].bot.owner, game="pig", versions=keys, names=names, size=8)
    with use_archive(str(tmp_path / "archive")):
        for number in range(8):
            match = create_waiting_match(versions, f"{number}")
            row = ChallengeMatch.objects.create(challenge=asked, number=number, match=match)
            assert play_match(match.pk)
            assert challenge_services.record(match.pk)
            if number < 7:
                archive_match(match)
        assert prune_ladders() > 0
        assert LadderProjection.objects.get(season=CHALLENGES).pruned_before == PLACES_PER_LEAGUE + row.pk
