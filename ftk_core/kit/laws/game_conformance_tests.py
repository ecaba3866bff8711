"""Tests that every game must pass. They play random matches."""

from __future__ import annotations

import re
from collections import Counter
from functools import reduce
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ftk_core.analysis.match_log_rerun_check import rerun
from ftk_core.facts import OMNISCIENT, PUBLIC, Action, encode, redact, secret_fields_of, tag_of, types_in_union
from ftk_core.game import MENU_LIMIT, IllegalChoiceError
from ftk_core.games import game, game_folder
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.i18n import list_languages
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.commands.schema import schema_of
from ftk_core.kit.laws.random_matches import RandomMatch, list_secret_values, play_random_match, play_random_matches
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.match_state_from_log import states
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import play
from ftk_core.views.replay_frame_messages import SpectatorFrame
from ftk_core.views.scene import TableScene

CHANCE = MatchRandomness(seed_of("law"))


def _viewers(match: RandomMatch) -> tuple[int, ...]:
    return (PUBLIC, OMNISCIENT, *range(match.seats))


def test_every_match_ends_and_ranks_every_seat(name: str, seats: int, match_count: int) -> None:
    """Each seat gets a score and a rank, with gaps after ties: 1, 1, 3."""
    silent = play_random_match(game(name), seats, 0, game(name).options(), silent=True)
    for match in (*play_random_matches(name, seats, match_count), silent):
        result = match.game.result(match.states[-1])
        assert len(result.places) == len(result.scores) == seats
        assert all(sum(other < place for other in result.places) == place - 1 for place in result.places)
        assert len(result.roles) in (0, seats)


def test_every_menu_has_distinct_actions_up_to_its_declared_length(name: str, seats: int, match_count: int) -> None:
    """A menu has 1 to `longest_menu` items, all different."""
    for match in play_random_matches(name, seats, match_count):
        for moment in match.moments:
            assert 1 <= len(moment.menu) <= match.game.longest_menu <= MENU_LIMIT
            assert len({encode(action) for action in moment.menu}) == len(moment.menu)


def test_exactly_the_actions_of_the_menu_are_accepted(name: str, seats: int, match_count: int) -> None:
    """`decide` rejects altered items, other seats, and moves after the end."""
    for match in play_random_matches(name, seats, match_count):
        for state, seat, menu in [(one.state, one.seat, one.menu) for one in match.some_moments]:
            assert all(match.game.decide(state, seat, action, CHANCE) for action in menu)
            others = {-2, -1, seats, *range(seats)} - set(match.game.turn(state))
            wrong = [(other, menu[0]) for other in others]
            wrong += [(seat, bent) for action in menu[:3] for bent in _alter(action) if bent not in menu]
            for other, action in wrong:
                with pytest.raises(IllegalChoiceError):
                    match.game.decide(state, other, action, CHANCE)
            with pytest.raises(IllegalChoiceError):
                match.game.decide(match.states[-1], seat, menu[0], CHANCE)


def _alter(action: Action) -> list[Action]:
    """Return copies of an action, each with one wrong value in a field."""
    wrong: tuple[Any, ...] = (None, "nonsense", -1, 10**9, 1.5, (), [])
    return [replace(action, **{field: other}) for field in action.__struct_fields__ for other in wrong]


def test_the_combined_step_equals_deciding_and_applying(name: str, seats: int, match_count: int) -> None:
    """`follow` has the same result as `decide` and then `apply`."""
    follow = game(name).follow
    for match in play_random_matches(name, seats, match_count) if follow else ():
        for moment in match.some_moments:
            for action in moment.menu[:5]:
                facts = match.game.decide(moment.state, moment.seat, action, CHANCE)
                assert follow
                folded = reduce(match.game.apply, facts, moment.state)
                assert follow(moment.state, moment.seat, action, CHANCE) == (facts, folded)


def test_the_playout_policy_chooses_from_the_menu(name: str, seats: int, match_count: int) -> None:
    """The game's fast policy `quick`, if it exists, returns a valid menu index."""
    # Simulated matches do not call it if the menu has only one item.
    quick = game(name).quick
    for match in play_random_matches(name, seats, match_count) if quick else ():
        for moment in (moment for moment in match.some_moments if len(moment.menu) > 1):
            assert quick
            assert 0 <= quick(moment.state, moment.seat, moment.menu, CHANCE.at("quick")) < len(moment.menu)


def test_facts_and_actions_are_unchanged_by_encoding(name: str, seats: int, match_count: int) -> None:
    """Decoding restores each encoded event and action. The keys of `marks`, `durations` and `sounds` are events."""
    for match in play_random_matches(name, seats, match_count):
        facts, actions = msgspec.json.Decoder(match.game.facts), msgspec.json.Decoder(match.game.actions)
        assert [facts.decode(encode(fact)) for fact in match.facts] == match.facts
        for moment in match.some_moments:
            assert tuple(actions.decode(encode(action)) for action in moment.menu) == moment.menu
        kinds = {tag_of(kind) for kind in types_in_union(match.game.facts)}
        for marked in (match.game.marks, match.game.durations, match.game.sounds):
            assert set(marked) <= kinds, "a kind of fact that is none"


def test_no_label_of_a_random_draw_is_used_twice(name: str, seats: int, match_count: int) -> None:
    """Draws with the same label would give the same numbers."""
    for match in play_random_matches(name, seats, match_count):
        assert max(Counter(match.labels).values(), default=1) == 1


def test_a_logged_match_reruns_to_the_same_bytes(name: str, seats: int) -> None:
    """A rerun with the logged seed and choices repeats the log and the result."""
    log = InMemoryLog()
    players = [RandomPlayer(seed_of(name, seat)) for seat in range(seats)]
    result = play(game(name), players, seed_of(name, seats), log=log)
    lines = list(lines_of(log))
    assert rerun(game(name), lines) == result
    assert game(name).result(list(states(game(name), lines))[-1][1]) == result


def test_a_secret_field_is_visible_to_its_holder_only(name: str, seats: int, match_count: int) -> None:
    """`redact` hides a secret field of an event from all seats except its holder."""
    for match in play_random_matches(name, seats, match_count):
        for fact in match.facts:
            for field, holder in secret_fields_of(type(fact)).items():
                knows = {eyes for eyes in (PUBLIC, *range(seats)) if getattr(redact(fact, eyes), field) is not None}
                assert knows <= ({getattr(fact, holder)} if holder else set())


def test_a_resampled_state_looks_the_same_and_can_be_played_on(name: str, seats: int, match_count: int) -> None:
    """`resample` changes hidden parts of a state only: view, turn and menu stay the same."""
    resample = game(name).resample
    for match in play_random_matches(name, seats, match_count) if resample else ():
        assert resample
        for moment in match.some_moments:
            for viewer in _viewers(match):
                dealt = resample(moment.state, viewer, CHANCE)
                assert match.game.view(dealt, viewer) == match.game.view(moment.state, viewer)
                assert match.game.turn(dealt) == match.game.turn(moment.state)
            dealt = resample(moment.state, moment.seat, CHANCE)
            assert match.game.legal(dealt, moment.seat) == moment.menu
            assert match.game.decide(dealt, moment.seat, moment.menu[-1], CHANCE)


def test_a_view_follows_from_the_facts_that_its_viewer_was_told(name: str, seats: int, match_count: int) -> None:
    """A view contains no secret text that its viewer has not been shown."""
    for match in play_random_matches(name, seats, match_count):
        for viewer in (PUBLIC, *range(seats)):
            hidden, shown = set[str](), _strings(match.game.view(match.states[0], viewer))
            for fact, state in zip(match.facts, match.states[1:], strict=True):
                told = redact(fact, viewer)
                blank = [field for field in secret_fields_of(type(fact)) if getattr(told, field) is None]
                hidden |= {text for field in blank for text in _strings(getattr(fact, field))}
                shown |= _strings(told)
                assert not _strings(match.game.view(state, viewer)) & (hidden - shown)


def _strings(value: Any) -> set[str]:
    """Return the set of all strings in a value, including keys and nested values."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, str):
        return {plain}
    parts = [*plain, *plain.values()] if isinstance(plain, dict) else plain if isinstance(plain, list | tuple) else ()
    return {text for part in parts for text in _strings(part)}


def test_a_view_does_not_depend_on_secrets_that_its_viewer_was_not_told(
    name: str, seats: int, match_count: int
) -> None:
    """A change of a hidden field does not change the view."""
    for match in play_random_matches(name, seats, match_count):
        values = list_secret_values(match)
        for fact, before, after in zip(match.facts, match.states, match.states[1:], strict=False):
            for field, holder in secret_fields_of(type(fact)).items():
                others = values[type(fact), field] - {getattr(fact, field)}
                blind = {PUBLIC, *range(seats)} - ({getattr(fact, holder)} if holder else set())
                for other in sorted(others, key=repr)[:2]:
                    try:
                        changed = match.game.apply(before, replace(fact, **{field: other}))
                    except (LookupError, ValueError):  # not possible at this point of the match
                        continue
                    assert all(match.game.view(changed, eyes) == match.game.view(after, eyes) for eyes in blind)


def test_every_view_is_drawn_with_unique_keys(name: str, seats: int, match_count: int) -> None:
    """The keys of areas and pieces are unique. Each counter, such as points, has a value for each seat."""
    for match in play_random_matches(name, seats, match_count):
        for state in match.some_states:
            for viewer in _viewers(match):
                scene = match.game.scene(match.game.view(state, viewer))
                pieces = Counter(piece.key for zone in scene.zones for piece in zone.pieces)
                areas = Counter([*(zone.key for zone in scene.zones), *(one.key for one in scene.contests)])
                assert max(pieces.values(), default=1) == max(areas.values(), default=1) == 1
                assert scene.meters
                assert all(len(meter.values) == seats for meter in scene.meters)
                assert scene.to_act == match.game.turn(state)
                _check_contests(scene, seats)


def _check_contests(scene: TableScene, seats: int) -> None:
    assert [contest.key for contest in scene.contests[:1]] in ([], ["lead"])
    for contest in scene.contests:
        assert contest.title
        assert contest.verdict
        for entry in contest.entries:
            assert 0 <= entry.share <= 100
            assert (entry.seat is None) == bool(entry.label)
            assert entry.seat is None or entry.seat in range(seats)
        assert {int(seat) for seat in re.findall(r"@(\d+)", contest.verdict)} <= {*range(seats)}


def test_every_fact_has_a_sentence_for_every_viewer_in_every_language(name: str, seats: int, match_count: int) -> None:
    """The sentence for an event is never empty and never contains "None"."""
    names = [f"Bot{seat}" for seat in range(seats)]
    for match in play_random_matches(name, seats, match_count):
        for fact in match.facts:
            for viewer in (PUBLIC, OMNISCIENT, 0):
                sentences = [match.game.say(redact(fact, viewer), names, language) for language in list_languages()]
                assert all(sentences)
                assert not any("None" in sentence for sentence in sentences)


def test_a_replay_ends_with_the_result(name: str, seats: int) -> None:
    """The last step (frame) of a replay shows spectators the rank and the score of each seat."""
    log = InMemoryLog()
    end = play(game(name), [RandomPlayer(seed_of(name, seat)) for seat in range(seats)], seed_of(name), log=log)
    for language in list_languages():
        reel = MatchFrames(PUBLIC, language)
        reel.extend(lines_of(log))
        frames = [msgspec.json.decode(line, type=SpectatorFrame) for line in reel.frames(reel.span(-1), whole=False)]
        assert tuple(seat.place for seat in frames[-1].result) == end.places
        assert all(seat.score for seat in frames[-1].result)


def test_the_game_has_rules_to_read_a_schema_and_a_random_bot(name: str, seats: int) -> None:
    """RULES.md has a section "In short", and `random` is a built-in bot."""
    assert seats in game(name).seats
    assert "## In short" in (game_folder(name) / "RULES.md").read_text("utf-8")
    assert schema_of(name)
    assert "random" in list_built_in_bots(name)
