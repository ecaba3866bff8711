"""Laws of every registered game, at every table size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce

import msgspec
import pytest
from msgspec.structs import replace

from ftk_core.analysis.match_log_rerun_check import rerun
from ftk_core.facts import OMNISCIENT, PUBLIC, encode, redact, tag_of, types_in_union
from ftk_core.games import game as game_of, versions
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.i18n import BUILT_IN_LANGUAGES
from ftk_core.kit.laws import game_conformance_tests
from ftk_core.log_entries import GameFactRecorded
from ftk_core.match_replay_frames import MAX_PLACED_SEATS, MatchFrames
from ftk_core.match_state_from_log import fact_in, states
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import MatchRandomness, seed_of
from ftk_core.referee import play
from ftk_core.views.fact_sentences import ENTRIES, label_translator
from ftk_core.views.replay_frame_messages import SpectatorFrame
from ftk_core.views.scene import TableScene
from tests.support.laws.by_game import census_of, options_for
from tests.support.laws.contests import check_contests, list_contest_texts
from tests.support.laws.explanations import explain_piece
from tests.support.laws.tables import GAMES_AND_SIZES, MATCHES, play_random_match, play_random_matches

LATIN_LETTER = re.compile("[a-z]")
# `scope` groups all tests of a game and size, so that one worker plays their matches
EVERYWHERE = pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES, scope="module")
QUICK_AT_THE_SMALLEST_SIZE = pytest.mark.parametrize(
    ("name", "seats"),
    [
        pytest.param(name, n, marks=() if n == game_of(name).seats[0] else pytest.mark.slow)
        for name, n in GAMES_AND_SIZES
    ],
    scope="module",
)


@EVERYWHERE
def test_every_game_ends_and_ranks_every_seat(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        result = match.game.result(match.states[-1])
        assert len(result.places) == len(result.scores) == seats
        assert min(result.places) == 1
        for place in result.places:
            assert sum(other < place for other in result.places) == place - 1, "shared places leave the next ones free"


@EVERYWHERE
def test_each_game_declares_roles_for_all_seats_or_for_none(name: str, seats: int) -> None:
    assert set(game_of(name).roles) <= set(game_of(name).seats)
    assert len(game_of(name).roles.get(seats, ())) in (0, seats)


@EVERYWHERE
def test_the_fast_step_function_of_a_game_gives_the_same_events_and_state_as_its_rules(name: str, seats: int) -> None:
    for row in versions(name).values():
        follow, chance = row.follow, MatchRandomness(seed_of("follow", name))
        for match in play_random_matches(name, seats) if follow else ():
            for moment in match.moments[:: max(1, len(match.moments) // 40)]:
                for action in moment.menu[:: max(1, len(moment.menu) // 5)]:
                    facts = row.decide(moment.state, moment.seat, action, chance)
                    after = reduce(row.apply, facts, moment.state)
                    assert follow
                    assert follow(moment.state, moment.seat, action, chance) == (facts, after)


@pytest.mark.slow
@EVERYWHERE
def test_replaying_a_match_from_its_log_gives_the_same_bytes_in_every_game(name: str, seats: int) -> None:
    game = game_of(name)
    for number in range(MATCHES):
        log = InMemoryLog()
        players = [RandomPlayer(seed_of(name, seat, number)) for seat in range(seats)]
        options = options_for(name, seats, number)
        result = play(game, players, seed_of(name, seats, number), log=log, options=options)
        lines = list(lines_of(log))
        assert rerun(game, lines) == result
        _, last = list(states(game, lines))[-1]
        assert game.result(last) == result, "folding the facts comes to the same end"


@EVERYWHERE
def test_events_and_actions_of_every_game_are_unchanged_by_encoding_and_decoding(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        facts = msgspec.json.Decoder(match.game.facts)
        actions = msgspec.json.Decoder(match.game.actions)
        assert [facts.decode(encode(fact)) for fact in match.facts] == match.facts
        for moment in match.moments:
            assert tuple(actions.decode(encode(action)) for action in moment.menu[:20]) == moment.menu[:20]


@pytest.mark.slow
@QUICK_AT_THE_SMALLEST_SIZE
def test_every_picture_has_unique_keys_and_shows_the_score_of_each_seat(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        for state in match.states[:: max(1, len(match.states) // 40)]:
            for viewer in (PUBLIC, OMNISCIENT, *range(seats)):
                scene = match.game.scene(match.game.view(state, viewer))
                pieces = Counter(piece.key for zone in scene.zones for piece in zone.pieces)
                zones = Counter(zone.key for zone in scene.zones)
                assert max(pieces.values(), default=1) == max(zones.values()) == 1
                assert scene.to_act == match.game.turn(state)
                assert {len(meter.values) for meter in scene.meters} == {seats}
                check_contests(scene, seats)


@pytest.mark.slow
@EVERYWHERE
def test_every_game_piece_has_an_explanation_in_every_language(name: str, seats: int) -> None:
    about = {language: game_of(name).about(language) for language in BUILT_IN_LANGUAGES}
    for match in play_random_matches(name, seats):
        for state in match.states[:: max(1, len(match.states) // 40)]:
            for viewer in (PUBLIC, OMNISCIENT, *range(seats)):
                for zone in match.game.scene(match.game.view(state, viewer)).zones:
                    for piece in zone.pieces:
                        assert all(explain_piece(piece, about[language]) for language in BUILT_IN_LANGUAGES), piece


@EVERYWHERE
def test_the_total_set_of_game_pieces_never_changes_during_a_match(name: str, seats: int) -> None:
    count = census_of(name)
    for match in play_random_matches(name, seats):
        after_deal = [state for state in match.states if count(state)]
        assert len({tuple(sorted(count(state))) for state in after_deal}) == 1


@EVERYWHERE
def test_a_match_in_which_no_player_ever_answers_ends(name: str, seats: int) -> None:
    match = play_random_match(name, seats, 0, silent=True)
    assert match.game.result(match.states[-1]).places


@EVERYWHERE
def test_every_random_draw_in_a_match_has_a_label_of_its_own(name: str, seats: int) -> None:
    for match in play_random_matches(name, seats):
        assert max(Counter(match.labels).values(), default=1) == 1


@EVERYWHERE
def test_every_game_event_has_a_sentence_for_every_viewer_in_every_language(name: str, seats: int) -> None:
    names = [f"Bot{seat}" for seat in range(seats)]
    for match in play_random_matches(name, seats):
        for fact in match.facts:
            for seen in {redact(fact, viewer) for viewer in (PUBLIC, OMNISCIENT, 0)}:
                for language in BUILT_IN_LANGUAGES:
                    sentence = match.game.say(seen, names, language)
                    assert sentence
                    assert "None" not in sentence


@EVERYWHERE
def test_no_chinese_sentence_contains_english_words(name: str, seats: int) -> None:
    names = ["甲乙丙丁戊己庚辛壬癸子丑"[seat] for seat in range(seats)]
    for match in play_random_matches(name, seats):
        for fact in match.facts:
            for seen in {redact(fact, viewer) for viewer in (PUBLIC, OMNISCIENT)}:
                sentence = match.game.say(seen, names, "zh-Hant")
                assert not LATIN_LETTER.search(sentence), sentence


@EVERYWHERE
def test_all_labels_in_pictures_of_a_game_state_are_translated_into_every_language(name: str, seats: int) -> None:
    relabel = label_translator(game_of(name).labels("zh-Hant"), "zh-Hant")
    pictures = 40 if seats == min(game_of(name).seats) else 10  # more seats add only similar labels and roles
    for match in play_random_matches(name, seats):
        for state in match.states[:: max(1, len(match.states) // pictures)]:
            for viewer in (PUBLIC, OMNISCIENT, 0):
                scene = match.game.scene(match.game.view(state, viewer))
                chinese = relabel(scene)
                assert strip(chinese) == strip(scene), "only what is read differs"
                assert [text for text in texts(chinese) if LATIN_LETTER.search(text)] == []


def texts(scene: TableScene) -> Iterator[str]:
    yield from list_contest_texts(scene)
    yield from (meter.label for meter in scene.meters)
    for zone in scene.zones:
        yield from (zone.label, zone.note, *(piece.label for piece in zone.pieces))


def strip(scene: TableScene) -> TableScene:
    """Return a picture without its words."""
    zones = (
        replace(zone, label="", note="", pieces=tuple(replace(piece, label="") for piece in zone.pieces))
        for zone in scene.zones
    )
    meters = tuple(replace(meter, label="") for meter in scene.meters)
    contests = (
        replace(
            contest,
            title="",
            about="",
            verdict="",
            entries=tuple(replace(entry, label="", value="", note="") for entry in contest.entries),
        )
        for contest in scene.contests
    )
    return replace(scene, zones=tuple(zones), meters=meters, contests=tuple(contests))


@EVERYWHERE
def test_the_key_moments_declared_by_a_game_refer_to_existing_kinds_of_game_events(name: str, seats: int) -> None:
    game = game_of(name)
    kinds = {tag_of(kind) for kind in types_in_union(game.facts)}
    assert set(game.marks) <= kinds
    assert set(game.durations) | set(game.sounds) <= kinds


@pytest.mark.nightly
@EVERYWHERE
def test_the_last_frame_shows_the_place_of_each_seat_and_its_score_in_words(name: str, seats: int) -> None:
    log = InMemoryLog()
    end = play(game_of(name), [RandomPlayer(seed_of(name, seat)) for seat in range(seats)], seed_of(name), log=log)
    for language in BUILT_IN_LANGUAGES:
        reel = MatchFrames(PUBLIC, language)
        reel.extend(lines_of(log))
        frames = [msgspec.json.decode(line, type=SpectatorFrame) for line in reel.frames(reel.span(-1), whole=False)]
        assert tuple(seat.place for seat in frames[-1].result) == end.places
        drawn = [meter.values for meter in frames[-1].meters if meter.key == "place"]
        assert drawn == ([end.places] if seats <= MAX_PLACED_SEATS else [])
        assert not any(seat.score.strip("-").isdigit() for seat in frames[-1].result), "a number says nothing"
        headings = [frame.heading for frame in frames if frame.heading]
        assert [headings[0], headings[-1]] == [ENTRIES(language)[f"heading_{end}"] for end in ("opened", "closed")]
        assert len(set(headings)) > 2, "the text of a match has parts"
        assert (frames[-1].duration, frames[-1].sound) == ("long", "end")
        assert not any(frame.result for frame in frames[:-1])


@EVERYWHERE
def test_encoding_the_events_read_from_a_match_log_gives_the_logged_bytes_again(name: str, seats: int) -> None:
    log = InMemoryLog()
    game = game_of(name)
    play(game, [RandomPlayer(seed_of(name, seat)) for seat in range(seats)], seed_of(name, seats), log=log)
    for entry, _ in states(game, lines_of(log)):
        if isinstance(entry, GameFactRecorded):
            assert encode(fact_in(game, entry)) == bytes(entry.fact)


@EVERYWHERE
def test_the_playout_policy_of_each_built_in_game_chooses_from_the_menu(name: str, seats: int) -> None:
    game_conformance_tests.test_the_playout_policy_chooses_from_the_menu(name, seats, 1)
