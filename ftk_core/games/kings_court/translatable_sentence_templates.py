"""English sentence templates and names of Kings Court, registered for translation."""

from ftk_core.games.kings_court import CATALOGUE
from ftk_core.games.kings_court.explanation.explanation_templates import EXPLANATION_LABELS

ROLES = ("king", "peasant", "usurper", "apprentice", "guard", "princess", "thief", "urchin", "none")
ROLES_WITH_AN = ("apprentice", "urchin")
"""Roles that take the article "an" instead of "a"."""
ROLE_NAMES = CATALOGUE.texts({role: f"{'an' if role in ROLES_WITH_AN else 'a'} {role}" for role in ROLES})
COUNTED_CARDS = CATALOGUE.texts({role: f"{{number}} {role}" for role in ROLES})
NOUNS = CATALOGUE.texts(
    {
        "nothing": "nothing",
        "some_diamonds": "some diamonds",
        "one_diamond": "{number} diamond",
        "diamonds": "{number} diamonds",
        "fake": "the fake diamond",
        "share": "a share",
        "won": "won",
        "lost": "lost",
    }
)
TEMPLATES = CATALOGUE.texts(
    {
        "diamonds_hidden": "{seat} hides {count} and hands the box on.",
        "diamonds_hidden_unseen": "{seat} may hide diamonds in secret, and hands the box on.",
        "box_received": "{seat} looks into the box: {diamonds}; {cards}.",
        "box_received_fake": "{seat} looks into the box: {diamonds}; {cards}, the fake diamond.",
        "box_received_unseen": "{seat} looks into the box: nobody else knows what is in it.",
        "box_considered": "{seat} dismisses a card: {card}.",
        "box_considered_unseen": "{seat} may dismiss a card in secret.",
        "share_taken": "{seat} takes {take} and hands the box on.",
        "fumbled": "{seat} takes from the box against the rules and is exiled.",
        "asked": "The King asks {seat}: {question}",
        "said": "{seat}: {claim}",
        "said_nothing": "{seat} says nothing.",
        "said_nothing_known": "{seat} does not know.",
        "accused": "The King to {seat}: empty your pockets!",
        "stood_by": "{seat} stands by.",
        "halted": "{seat} cries HAULT!",
        "princess_courted": "{seat} is the Princess and chooses between {between}.",
        "fake_shown": "{seat} shows the fake diamond.",
        "pockets_emptied": "{seat} had {take}.",
        "pockets_emptied_exiled": "{seat} had {take} and is exiled.",
        "gift_given": "The King was mistaken and gives {seat} a gift.",
        "exiled": "{seat} is exiled.",
        "court_closed": "The investigation ends: {ending}. Winners: {winners}.",
    }
)
HEADINGS = CATALOGUE.texts(
    {
        "diamonds_hidden": "The box goes round",
        "box_received": "The investigation",
        "asked": "The King questions {seat}",
        "accused": "The King accuses {seat}",
        "court_closed": "The judgement",
    }
)
ENDINGS = CATALOGUE.texts(
    {
        "king": "the King's side wins",
        "usurper": "a Usurper wins",
        "guard": "the Guard wins",
        "princess": "the Princess wins",
        "exile": "the King is driven out",
    }
)
LABELS = CATALOGUE.labels(
    (
        "Recovered",
        "Kings Gifts",
        "In the box at first",
        "At court",
        "Says",
        "Came back",
        "Saw in the box",
        "# missing",
        "exiled",
        "accused",
        "★ wins",
        "showed the fake diamond",
        "asked now",
        "Asked",
        "Suspected",
        "Diamonds taken",
        "hidden share",
        "# gift",
        "# gifts",
        "Box",
        "Fake",
        "# diamond",
        "# diamonds",
        *(role.capitalize() for role in ROLES),
        *(f"# {role}" for role in ROLES),
        *EXPLANATION_LABELS,
    )
)
QUESTIONS = CATALOGUE.texts(
    {
        "received_diamonds": "how many diamonds were in the box when it came?",
        "received_cards": "which characters were in the box when it came?",
        "passed_diamonds": "how many diamonds did you pass on?",
        "passed_cards": "which characters did you pass on?",
        "received_fake": "was the fake diamond in the box when it came?",
        "passed_fake": "was the fake diamond in the box when you passed it on?",
        "took": "what did you take?",
        "suspect": "whom do you suspect?",
        "dismissed": "what did you dismiss?",
        "role_of": "what is {about}?",
    }
)
CLAIMS = CATALOGUE.texts(
    {
        "received_diamonds": "{n} came to me.",
        "received_cards": "The characters that came to me: {cards}.",
        "passed_diamonds": "I passed on {n}.",
        "passed_cards": "The characters I passed on: {cards}.",
        "took": "I took {took}.",
        "suspect": "I suspect {who}.",
        "vouch": "I vouch for {who}.",
        "dismissed": "I dismissed {role}.",
        "role_of": "{who} is {role}.",
        "hid": "I hid {n}.",
        "returned_diamonds": "{n} came back.",
        "returned_cards": "The characters that came back: {cards}.",
        "trust": "I trust {who}.",
        "received_fake": "The fake diamond came to me.",
        "received_fake_absent": "No fake diamond came to me.",
        "passed_fake": "I passed on the fake diamond.",
        "passed_fake_absent": "I passed on no fake diamond.",
        "returned_fake": "The fake diamond came back.",
        "returned_fake_absent": "No fake diamond came back.",
    }
)
