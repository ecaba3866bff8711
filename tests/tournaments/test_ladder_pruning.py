"""A pruned ladder says the same as one that was not pruned, whatever comes late or is corrected."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from replays.archiving import archive_match
from replays.models import Match
from replays.playing.runner import play_match
from tests.support.bouts import begin, play_on
from tests.support.bucket import archive_at
from tests.support.factories import waiting_match
from tests.support.ladders import NAMES, bot, counted
from tests.support.leagues import entrants, new_league, play_all
from tournaments import challenging, ladder, ladder_order, ladder_rows
from tournaments.bounds import CONTINUOUS, FRIENDLY
from tournaments.bout_models import Bout
from tournaments.challenge_models import Challenge, ChallengeMatch
from tournaments.ladder_facts import MatchCounted
from tournaments.ladder_history import read_steps
from tournaments.ladder_order import LEAGUE
from tournaments.ladder_pruning import prune_ladders
from tournaments.ladder_rows import prune_seats
from tournaments.models import LadderFold, MeetingSum, RatedSeat, Rating

PRUNED, WHOLE = "pruned", "whole"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep so few matches of each bot that some go."""
    for module in (ladder_order, ladder_rows):
        monkeypatch.setattr(module, "KEPT", 3)


def league(number: int, count: int = 15) -> list[MatchCounted]:
    luck = Random(number)
    tables = [luck.sample(NAMES, 3) for _ in range(count)]
    return [counted(f"{number}-{at}", names, luck.choice(((1, 2, 3), (1, 1, 3), (3, 2, 1))), number, at)
            for at, names in enumerate(tables)]  # fmt: skip


def rate(played: list[MatchCounted]) -> None:
    for season in (PRUNED, WHOLE):
        with transaction.atomic():
            ladder.rate("pig", season, played, of_all_time=False)


def correct(match: str, places: tuple[int, ...] | None) -> None:
    for season in (PRUNED, WHOLE):
        with transaction.atomic():
            ladder._correct("pig", season, match, places, "why")


def told(season: str) -> list[Any]:
    """Return all that pages show of a ladder."""
    ratings = Rating.objects.filter(season=season).values_list("bot__slug", "value", "matches", "wins", "last_delta")
    met = MeetingSum.objects.filter(ladder__season=season, matches__gt=0)
    steps = read_steps("pig", [season], NAMES, 3)
    return [
        sorted(ratings),
        sorted(met.values_list("bot__slug", "other__slug", "halves", "matches")),
        {name: steps[season, name] for name in NAMES},
    ]


@pytest.fixture
def ladders(db: None) -> LadderFold:
    """A ladder of three leagues, once whole and once pruned before the third."""
    for slug in NAMES:
        bot(slug)
    for number in (1, 3, 5):
        rate(league(number))
    pruned = LadderFold.objects.get(season=PRUNED)
    assert prune_seats(pruned, 5 * LEAGUE) > 30
    return pruned


def places_of(season: str) -> set[int]:
    return set(RatedSeat.objects.filter(ladder__season=season).values_list("at", flat=True))


def test_pages_show_the_same(ladders: LadderFold) -> None:
    assert told(PRUNED) == told(WHOLE)


def test_a_fold_of_the_stream_leaves_the_same_rows_as_pruning(ladders: LadderFold) -> None:
    before = places_of(PRUNED)
    ladder.rebuild("pig")
    assert places_of(PRUNED) == before < places_of(WHOLE)
    assert told(PRUNED) == told(WHOLE)


@pytest.mark.parametrize("number", [2, 4, 6])
def test_a_league_that_comes_late_counts_from_its_place_on(ladders: LadderFold, number: int) -> None:
    rate(league(number))
    assert told(PRUNED) == told(WHOLE)


@pytest.mark.parametrize("match", ["1-0", "3-14", "5-0", "5-14"])
@pytest.mark.parametrize("places", [(2, 1, 3), None])
def test_a_correction_moves_what_comes_after_it(
    ladders: LadderFold, match: str, places: tuple[int, ...] | None
) -> None:
    shifts = {season: ladder.preview("pig", season, {match: places}) for season in (PRUNED, WHOLE)}
    correct(match, places)
    assert shifts[PRUNED] == shifts[WHOLE]
    assert told(PRUNED) == told(WHOLE)


def test_a_place_is_taken_also_where_its_rows_are_gone(ladders: LadderFold) -> None:
    gone = min(places_of(WHOLE) - places_of(PRUNED))
    again = counted("again", NAMES[:3], (1, 2, 3), gone // LEAGUE, (gone >> 8) & 0xFFFF)
    assert ladder.counted_of(again).at == gone
    with pytest.raises(ValueError, match="counts already"), transaction.atomic():
        ladder.rate("pig", PRUNED, [again], of_all_time=False)


def test_a_match_that_does_not_count_is_not_found(ladders: LadderFold) -> None:
    with pytest.raises(LookupError, match="does not count"):
        ladder.preview("pig", PRUNED, {"nowhere": None})


@pytest.mark.django_db(transaction=True)
def test_ladders_are_pruned_behind_the_archive_and_their_matches_can_be_overruled(tmp_path: Path) -> None:
    with archive_at(str(tmp_path / "archive")):
        first = new_league(entrants(4), rounds=3, games=2, slug="first", season="2026")
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
        ladder.correct(gone.match_id, None, "it was played with the wrong rules")
        assert sorted(Rating.objects.values_list("bot__slug", "season", "value")) != stands
        assert places_of("2026") < before


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_bouts_of_a_continuous_ladder_are_pruned_up_to_the_first_that_is_not_archived(tmp_path: Path) -> None:
    entrants(3)
    begin()
    play_on(12)
    steps = read_steps("pig", [CONTINUOUS], ("b0", "b1", "b2"), 3)
    (open_bout, *_), whole = Bout.objects.order_by("-number"), places_of(CONTINUOUS)
    with archive_at(str(tmp_path / "archive")):
        for bout in Bout.objects.exclude(pk=open_bout.pk).select_related("match"):
            archive_match(bout.match)
        assert prune_ladders() > 0
        assert LadderFold.objects.get(season=CONTINUOUS).pruned_before == LEAGUE + open_bout.number
        assert read_steps("pig", [CONTINUOUS], ("b0", "b1", "b2"), 3) == steps
        assert LEAGUE + open_bout.number in places_of(CONTINUOUS) < whole


@pytest.mark.django_db(transaction=True)
def test_matches_of_challenges_are_pruned_likewise(tmp_path: Path) -> None:
    versions = entrants(2)
    names = [version.label for version in versions]
    keys = [version.pk for version in versions]
    asked = Challenge.objects.create(by=versions[0].bot.owner, game="pig", versions=keys, names=names, size=8)
    with archive_at(str(tmp_path / "archive")):
        for number in range(8):
            match = waiting_match(versions, f"{number}")
            row = ChallengeMatch.objects.create(challenge=asked, number=number, match=match)
            assert play_match(match.pk)
            assert challenging.record(match.pk)
            if number < 7:
                archive_match(match)
        assert prune_ladders() > 0
        assert LadderFold.objects.get(season=FRIENDLY).pruned_before == LEAGUE + row.pk
