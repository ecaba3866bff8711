"""The sentences of King's Court read naturally."""

from __future__ import annotations

from typing import get_args

import pytest

from ftk_core.facts import PUBLIC, redact
from ftk_core.games.kings_court.facts import ClaimMade, DiamondsHidden, DismissalDecided, Ending, InvestigationEnded
from ftk_core.games.kings_court.player_claims import PlayerClaim
from ftk_core.games.kings_court.rules import GAME
from ftk_core.i18n import BUILT_IN_LANGUAGES

NAMES = ("Ada", "Bo", "Cy")


@pytest.mark.parametrize(("role", "named"), [("usurper", "a usurper"), ("urchin", "an urchin"), ("guard", "a guard")])
def test_sentences_name_a_role_with_its_english_article(role: str, named: str) -> None:
    assert GAME.say(ClaimMade(1, PlayerClaim(topic="role_of", seat=2, role=role)), NAMES, "en") == f"Bo: Cy is {named}."


def test_every_possible_end_of_the_investigation_has_a_sentence_in_every_language() -> None:
    assert GAME.say(
        InvestigationEnded(ending="king", winners=(0,), hidden=0, dismissed=None, takes=()), NAMES, "en"
    ) == ("The investigation ends: the King's side wins. Winners: Ada.")
    for language in BUILT_IN_LANGUAGES:
        told = set[str]()
        for ending in get_args(Ending):
            closed = InvestigationEnded(ending=ending, winners=(0,), hidden=0, dismissed=None, takes=())
            told.add(GAME.say(closed, NAMES, language))
            assert ending not in GAME.say(closed, NAMES, language)
        assert len(told) == len(get_args(Ending)), language


def test_sentences_do_not_say_what_the_viewer_may_not_know_about_dismissed_cards_and_hidden_diamonds() -> None:
    for secret in (DismissalDecided(1, "peasant"), DismissalDecided(1, None)):
        assert GAME.say(redact(secret, PUBLIC), NAMES, "en") == "Bo may dismiss a card in secret."
    for secret in (DiamondsHidden(0, 3), DiamondsHidden(0, 0)):
        told = GAME.say(redact(secret, PUBLIC), NAMES, "en")
        assert told == "Ada may hide diamonds in secret, and hands the box on."
    assert GAME.say(DismissalDecided(1, "peasant"), NAMES, "en") == "Bo dismisses a card: a peasant."


def test_the_guide_names_everybody_whom_the_king_may_accuse_without_a_mistake() -> None:
    guide = GAME.by_hand.guide("en")["accuse"]
    assert all(word in guide for word in ("Thief", "Usurper", "Princess", "fake diamond"))
