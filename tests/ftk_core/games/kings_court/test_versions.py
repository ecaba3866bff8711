"""Claims about the fake diamond in the box exist since version 2; version 1 keeps its own menus."""

from __future__ import annotations

from msgspec.structs import replace

from ftk_core.facts import Action
from ftk_core.games import game
from ftk_core.games.kings_court.fact_sentences import claim_in_words
from ftk_core.games.kings_court.facts import AskAction, ClaimAction, PlayerQuestioned
from ftk_core.games.kings_court.player_claims import FAKE_TOPICS, PlayerClaim
from ftk_core.games.kings_court.table_state import BoxContents, TableState, new_court

NAMES = [f"Player {seat}" for seat in range(8)]


def court(*, fake: bool) -> TableState:
    """Return a court of eight whose box has come back to the King."""
    table = new_court(8, fake=fake, cards=("peasant",) * 3 + ("apprentice",) + ("usurper",) * (1 - fake))
    return replace(table, hidden=0, arrivals=(BoxContents(13, table.cards, fake),) * 8)


def menu(table: TableState, seat: int, version: int = 2) -> tuple[Action, ...]:
    return game("kings_court", version).legal(table, seat)


def topics(actions: tuple[Action, ...]) -> set[str]:
    asked = {action.topic for action in actions if isinstance(action, AskAction)}
    return asked | {action.claim.topic for action in actions if isinstance(action, ClaimAction)}


def test_the_king_can_ask_about_the_fake_diamond_and_can_claim_that_it_was_or_was_not_returned() -> None:
    actions = menu(court(fake=True), 0)
    assert {AskAction(1, "received_fake"), AskAction(1, "passed_fake")} < set(actions)
    assert {ClaimAction(PlayerClaim(topic="returned_fake", fake=there)) for there in (True, False)} < set(actions)


def test_players_can_claim_that_the_diamond_box_did_or_did_not_contain_the_fake_diamond() -> None:
    for topic in ("received_fake", "passed_fake"):
        both = {ClaimAction(PlayerClaim(topic=topic, fake=there)) for there in (True, False)}
        assert both < set(menu(replace(court(fake=True), answering=PlayerQuestioned(3, topic, None)), 3))
        assert both < set(menu(replace(court(fake=True), floor=(3,)), 3))


def test_no_menu_mentions_a_fake_diamond_that_is_not_in_play() -> None:
    for table, seat in ((court(fake=False), 0), (replace(court(fake=False), floor=(3,)), 3)):
        assert not topics(menu(table, seat)) & set(FAKE_TOPICS)
        assert menu(table, seat) == menu(table, seat, 1)


def test_version_1_of_the_rules_offers_no_claims_about_the_fake_diamond() -> None:
    for table, seat in ((court(fake=True), 0), (replace(court(fake=True), floor=(3,)), 3)):
        assert not topics(menu(table, seat, 1)) & set(FAKE_TOPICS)
        assert set(menu(table, seat, 1)) < set(menu(table, seat))


def test_a_claim_about_the_fake_diamond_has_a_sentence_in_both_languages() -> None:
    claims = [PlayerClaim(topic=topic, fake=there) for topic in FAKE_TOPICS for there in (True, False)]
    for language, absent in (("en", "No fake diamond came back."), ("zh-Hant", "寶盒回來時裡面沒有假鑽石。")):
        told = [claim_in_words(claim, NAMES, language) for claim in claims]
        assert len(set(told)) == 6
        assert told[-1] == absent
