"""Tooltips for roles and tokens, which name the effect and the rule in RULES.md."""
# The keys are tags of drawn pieces. ``hidden`` stands for all pieces that lie face down.

from ftk_core.games.kings_court import CATALOGUE

ABOUT = CATALOGUE.texts(
    {
        "role:king": "The King asks, everybody may lie, and he accuses. He wins with all diamonds back (K7, K8).",
        "role:peasant": "Loyal Peasant: wins with the King, even exiled (K18). To accuse one is a mistake.",
        "role:usurper": "Usurper: wins at once if the King accuses him.",
        "role:apprentice": "Apprentice: wins if the seat to the right wins (K21, K22).",
        "role:guard": "Guard: may cry HAULT before pockets are emptied, and wins alone if that saves the King from a "
        "Usurper (K14-K17).",
        "role:princess": "Princess: accused, she wins at once with the player who has most diamonds (K23).",
        "role:thief": "Thief: a player who took diamonds. Accused he gives them back and is exiled; the richest win if "
        "the King is driven out.",
        "role:urchin": "Street Urchin: took nothing, or the fake diamond. Wins with the Thieves (K24).",
        "role:none": "No role: exiled for breaking the rules of taking, and cannot win (K6).",
        "diamond": "Diamonds: thirteen at first, of which the King may keep up to three.",
        "fake": "The fake diamond: shown to the King in the place of everything else, once (K11-K13).",
        "gift": "Kings Gifts: each pays for one mistaken accusation; the mistake after the last drives the King out.",
        "box": "The box: the player who has it looks into it in secret and takes diamonds or one card.",
        "hidden": "What this seat took. Nobody else knows it before the pockets are emptied (K26).",
        "claim:took": "Claims to have taken this. Nothing said is checked (K29).",
        "claim:role_of": "Claims that this seat has this role. Nothing said is checked (K29).",
        "claim:dismissed": "Claims to have turned over this card, or none. Nothing said is checked (K29).",
        "claim:received_cards": "Claims that these characters came in the box. Nothing said is checked (K29).",
        "claim:passed_cards": "Claims to have passed on these characters. Nothing said is checked (K29).",
        "claim:returned_cards": "The King claims that these characters came back. Nothing said is checked (K29).",
        "doubt:false": "False: no theft fits both this claim and what is known to the seat or person who looks.",
        "doubt:conflict": "Contradicted: no theft fits both this claim and another one.",
        "standing": "A summary of what everybody sees, and of what only these eyes may see.",
        "accusation": "A right accusation finds a Thief. The fake diamond costs nothing (K12); any other accusation is "
        "a mistake (K16, K19), and that of a Usurper or the Princess ends the match.",
        "known": "The King sees the box when it leaves and when it returns; all else he learns from emptied pockets.",
        "truth": "The theft as it was. No seat knows all of it before the end.",
        "wins": "This seat wins the match. The sentence at the top says why.",
        "way:passed": "The box has gone this way.",
        "way:next": "The box goes this way next.",
        "claim:hid": "The King claims to have kept so many diamonds out of the box. Nothing said is checked (K29).",
        "claim:returned_diamonds": "The King claims that so many diamonds came back. Nothing said is checked (K29).",
        "claim:received_diamonds": "Claims that so many diamonds came in the box. Nothing said is checked (K29).",
        "claim:passed_diamonds": "Claims to have passed on so many diamonds. Nothing said is checked (K29).",
        "claim:received_fake": "Claims that the fake diamond came in the box, or not. Nothing said is checked (K29).",
        "claim:passed_fake": "Claims to have passed the fake diamond on, or not. Nothing said is checked (K29).",
        "claim:returned_fake": "The King claims that the fake one came back, or not. Nothing said is checked (K29).",
        "claim:suspect": "Claims to suspect this seat. Nothing said is checked (K29).",
        "claim:vouch": "Claims to vouch for this seat. Nothing said is checked (K29).",
        "claim:trust": "The King claims to trust this seat. Nothing said is checked (K29).",
    }
)
