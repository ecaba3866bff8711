"""English texts that explain a match."""
# ``#`` stands for a number, and ``@#`` for the player in that seat.

from __future__ import annotations

import re
from functools import lru_cache

CARD_PHRASES = {
    "peasant": "a Peasant",
    "usurper": "a Usurper",
    "apprentice": "an Apprentice",
    "guard": "the Guard",
    "princess": "the Princess",
}
ROLE_PHRASES = {
    **CARD_PHRASES,
    "king": "the King",
    "thief": "a Thief",
    "urchin": "a Street Urchin",
    "none": "without a role",
}
PATTERNS = {
    "ahead": "The King against the Thieves",
    "ahead_rule": "the King needs all stolen diamonds back; if he is driven out, the richest Thief in play wins",
    "secret_takes": "Nobody can tell yet: what players take from the box is secret",
    "secret_missing": "Nobody can tell yet: the number of stolen diamonds is secret",
    "none_taken": "Nobody is ahead: no diamond is taken yet",
    "none_missing": "The King is ahead: no diamond is missing",
    "some_missing": "The Thieves are ahead until the King has back # more of # diamonds",
    "thief_ahead": "The Thieves are ahead: @# would win with # diamonds",
    "thieves_ahead": "The Thieves are ahead: the richest have # diamonds each",
    "diamonds_back": "Diamonds back with the King",
    "back_of": "# of #",
    "diamond_count": "# diamonds",
    "wins": "wins",
    "standing": "Where the match stands",
    "way": "Way of the box",
    "way_passed": "The box went from @# to @#",
    "way_next": "The box goes next from @# to @#",
    "hide": "The King may keep up to three diamonds before the box goes round.",
    "passed": "The box has passed # of # seats and is with @#.",
    "back": "The box is back with the King.",
    "missing": "Diamonds still missing: # of #.",
    "recovered": "Diamonds recovered: #.",
    "nobody_accused": "Nobody is accused yet.",
    "accused_count": "Accusations: #, right: #.",
    "asks": "The King asks @#.",
    "accuses": "The King accuses @#.",
    "gifts": "Mistakes that the King can still afford: #.",
    "no_gifts": "The next mistake drives the King out.",
    "end_king": "The King wins: all stolen diamonds are back (#).",
    "end_king_nothing": "The King wins: nothing was stolen.",
    "end_usurper": "The King loses: he accused @#, who is a Usurper and wins at once.",
    "end_guard": "The Guard wins: HAULT saved the King from @#, a Usurper.",
    "end_princess": "The King loses: he accused @#, the Princess, who wins with the richest.",
    "end_princess_king": "The King accused @#, the Princess, and wins with her as the richest.",
    "end_exile": "The King is driven out: he accused @# wrongly and had no gift left.",
    "end_thief": "@# wins as the richest Thief in play: # diamonds.",
    "end_peasants": "Every Loyal Peasant wins with him.",
    "end_with_king": "@# wins with him as the Guard.",
    "end_apprentice": "@# wins as the Apprentice of @#.",
    "end_urchin": "@# wins as a Street Urchin.",
    "end_no_thief": "No Thief is in play, so no Thief wins.",
    "accusations": "Accused so far",
    "right": "@# had # diamonds: rightly accused",
    "shown": "@# showed the fake diamond and nothing else",
    "pending": "@# is accused now",
    "king_knows": "What the King knows",
    "true": "What is true",
    "kept": "He kept # diamonds back",
    "arrived": "# diamonds came back in the box",
    "cards_arrived": "Characters that came back",
    "no_cards_arrived": "No character came back",
    "stolen": "So # diamonds were stolen",
    "asked_list": "Asked",
    "asked_nobody": "He has asked nobody",
    "certain": "Pockets emptied",
    "thieves": "Thieves and their diamonds",
    "share": "@# (#)",
    "dismissed": "Card turned over by @#",
    "contradicts": "contradicts @#",
    "contradicts_itself": "contradicts what this seat said before",
    "false": "false",
    "hid": "I hid # diamonds",
    "returned_diamonds": "# diamonds came back",
    "received_diamonds": "I received # diamonds",
    "passed_diamonds": "I passed on # diamonds",
    "returned_cards": "These characters came back",
    "received_cards": "I received these characters",
    "passed_cards": "I passed on these characters",
    "no_cards": "no character",
    "received_fake": "I received the fake diamond",
    "received_fake_absent": "I received no fake diamond",
    "passed_fake": "I passed on the fake diamond",
    "passed_fake_absent": "I passed on no fake diamond",
    "returned_fake": "The fake diamond came back",
    "returned_fake_absent": "No fake diamond came back",
    "suspect": "I suspect @#",
    "vouch": "I vouch for @#",
    "trust": "I trust @#",
    "took": "I took # diamonds",
    "took_fake": "I took # diamonds and the fake one",
    "took_nothing": "I took nothing",
    "dismissed_nothing": "I dismissed nothing",
    **{f"took_{role}": f"I took a card: {phrase}" for role, phrase in CARD_PHRASES.items()},
    **{f"dismissed_{role}": f"I dismissed a card: {phrase}" for role, phrase in CARD_PHRASES.items()},
    **{f"is_{role}": f"@# is {phrase}" for role, phrase in ROLE_PHRASES.items()},
    **{f"wrong_{role}": f"@# is {phrase}: wrongly accused" for role, phrase in ROLE_PHRASES.items()},
}
EXPLANATION_LABELS = (
    *PATTERNS.values(),
    *(text.replace("# diamonds", "# diamond") for text in PATTERNS.values() if "# diamonds" in text),
)
"""All English texts, for translation. A text with ``# diamonds`` also occurs with ``# diamond``, for one diamond."""


@lru_cache(2048)
def fill(key: str, *figures: int) -> str:
    """Return a text of `PATTERNS` with numbers in place of its ``#`` characters.

    In the result, ``@3`` stands for the name of the player in seat 3.

    >>> fill("end_thief", 3, 1)
    '@3 wins as the richest Thief in play: 1 diamond.'
    """
    given = iter(figures)
    text = re.sub("#", lambda _: str(next(given)), PATTERNS[key])
    return re.sub(r"(?<![@\d])1 diamonds", "1 diamond", text)
