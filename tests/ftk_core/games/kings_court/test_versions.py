"""Since version 2 everybody can speak of the fake diamond in the box; logs of version 1 are read by their own menus."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.facts import Action
from ftk_core.games import game
from ftk_core.games.kings_court.claims import FAKE_TOPICS, Claim
from ftk_core.games.kings_court.facts import Ask, Asked, Say
from ftk_core.games.kings_court.state import Box, Table, bare
from ftk_core.games.kings_court.words import claim_in_words

NAMES = [f"Player {seat}" for seat in range(8)]


def court(*, fake: bool) -> Table:
    """Return a court of eight whose box has come back to the King."""
    table = bare(8, fake=fake, cards=("peasant",) * 3 + ("apprentice",) + ("usurper",) * (1 - fake))
    return replace(table, hidden=0, arrivals=(Box(13, table.cards, fake),) * 8)


def menu(table: Table, seat: int, version: int = 2) -> tuple[Action, ...]:
    return game("kings_court", version).legal(table, seat)


def topics(actions: tuple[Action, ...]) -> set[str]:
    asked = {action.topic for action in actions if isinstance(action, Ask)}
    return asked | {action.claim.topic for action in actions if isinstance(action, Say)}


def test_the_king_can_ask_for_the_fake_diamond_and_say_whether_it_came_back() -> None:
    actions = menu(court(fake=True), 0)
    assert {Ask(1, "received_fake"), Ask(1, "passed_fake")} < set(actions)
    assert {Say(Claim(topic="returned_fake", fake=there)) for there in (True, False)} < set(actions)


def test_a_subject_can_answer_and_say_unasked_that_the_fake_diamond_was_in_the_box_or_not() -> None:
    for topic in ("received_fake", "passed_fake"):
        both = {Say(Claim(topic=topic, fake=there)) for there in (True, False)}
        assert both < set(menu(replace(court(fake=True), answering=Asked(3, topic, None)), 3))
        assert both < set(menu(replace(court(fake=True), floor=(3,)), 3))


def test_nobody_speaks_of_a_fake_diamond_that_is_not_in_play() -> None:
    for table, seat in ((court(fake=False), 0), (replace(court(fake=False), floor=(3,)), 3)):
        assert not topics(menu(table, seat)) & set(FAKE_TOPICS)
        assert menu(table, seat) == menu(table, seat, 1)


def test_version_1_has_the_same_menus_without_the_fake_diamond_in_the_box() -> None:
    for table, seat in ((court(fake=True), 0), (replace(court(fake=True), floor=(3,)), 3)):
        assert not topics(menu(table, seat, 1)) & set(FAKE_TOPICS)
        assert set(menu(table, seat, 1)) < set(menu(table, seat))


def test_a_claim_on_the_fake_diamond_reads_as_a_sentence_in_both_languages() -> None:
    claims = [Claim(topic=topic, fake=there) for topic in FAKE_TOPICS for there in (True, False)]
    for language, absent in (("en", "No fake diamond came back."), ("zh-Hant", "寶盒回來時裡面沒有假鑽石。")):
        told = [claim_in_words(claim, NAMES, language) for claim in claims]
        assert len(set(told)) == 6
        assert told[-1] == absent
