"""Certificates of rounds as sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from ftk_core.league.plans import Weighed

HOW = {"counting": gettext_noop("by counting"), "matching": gettext_noop("by a proof that goes with the round")}


def read_aloud(weighed: Weighed | None) -> str:
    """Describe the certificate of a round; empty for a round from before certificates existed."""
    if weighed is None:
        return ""
    said = [_repeats(weighed), _floaters(weighed.floaters)]
    if count := weighed.siblings:
        said.append(
            ngettext(
                "%(n)s pair of one author could not be kept apart.",
                "%(n)s pairs of one author could not be kept apart.",
                count,
            )
            % {"n": count}
        )
    said.append(_seats(weighed.seats))
    if 1 < weighed.seats == weighed.seats_least:
        said.append(_("No other seats at these tables are more even."))
    if count := weighed.rested:
        said.append(
            ngettext(
                "Whoever rests had rested %(n)s time at most.", "Whoever rests had rested %(n)s times at most.", count
            )
            % {"n": count}
        )
    return " ".join(said)


def _repeats(weighed: Weighed) -> str:
    if not weighed.repeats:
        return _("All meet for the first time.")
    met = ngettext("%(n)s pair met before", "%(n)s pairs met before", weighed.repeats) % {"n": weighed.repeats}
    if weighed.repeats == weighed.fewest:
        said = _("%(met)s, and fewer is impossible, as is known %(how)s.")
    elif not weighed.fewest:
        said = _("%(met)s; whether fewer had to is not known.")
    else:
        said = _("%(met)s; at least %(fewest)s had to, as is known %(how)s.")
    return said % {"met": met, "fewest": weighed.fewest, "how": _(HOW[weighed.known]) if weighed.known else ""}


def _floaters(floaters: int) -> str:
    if not floaters:
        return _("Everybody sits with equals.")
    return ngettext(
        "%(n)s bot at a table where somebody has more points.",
        "%(n)s bots at a table where somebody has more points.",
        floaters,
    ) % {"n": floaters}


def _seats(most: int) -> str:
    if not most:
        return _("Everybody has had each seat equally often.")
    return ngettext(
        "Nobody has had one seat more than %(n)s time more often than another.",
        "Nobody has had one seat more than %(n)s times more often than another.",
        most,
    ) % {"n": most}
