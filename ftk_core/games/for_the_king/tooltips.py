"""Tooltips for cards and tiles, which name the effect and the rule in RULES.md."""
# The keys are tags of drawn cards or tiles. ``hidden`` stands for all cards that lie face down.

from ftk_core.games.for_the_king import CATALOGUE

ABOUT = CATALOGUE.texts(
    {
        "government": "Government card. At the end whoever holds most of an office gets its Primary Duty, the next one "
        "its Secondary Duty; the letter breaks ties (F25-F28).",
        "gold": "Gold. It pays for government cards and Kings, without change (F16). A gold card on offer is paid "
        "with any cards, face down.",
        "king": "King card. It raises or lowers Primary Duties as it says, within 1 to 6, and must be used at once "
        "(F1-F5).",
        "primary": "Primary Duty: the points for whoever holds most of this office at the end.",
        "secondary": "Secondary Duty: half the Primary, rounded down, for the second in this office (F6).",
        "hidden": "A card face down: only those who were dealt or laid it know it (F8, F9).",
    }
)
