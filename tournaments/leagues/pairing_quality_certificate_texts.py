"""Sentences about the quality of a round's pairing, such as the number of pairs of bots that met before."""

from __future__ import annotations

from django.utils.translation import gettext as _, gettext_noop, ngettext

from ftk_core.league.event_fields import PairingQualityCertificate

PROOF_METHODS = {
    "counting": gettext_noop("by counting"),
    "matching": gettext_noop("by a proof that goes with the round"),
}


def describe_certificate(weighed: PairingQualityCertificate | None) -> str:
    """Return sentences about the quality of a round's pairing; an empty text if its quality was not measured (None)."""
    if weighed is None:
        return ""
    sentences = [_describe_repeats(weighed), _describe_floaters(weighed.floaters)]
    if count := weighed.siblings:
        sentences.append(
            ngettext(
                "%(n)s pair of one author could not be kept apart.",
                "%(n)s pairs of one author could not be kept apart.",
                count,
            )
            % {"n": count}
        )
    sentences.append(_describe_seats(weighed.seats))
    if 1 < weighed.seats == weighed.seats_least:
        sentences.append(_("No other seats at these tables are more even."))
    if count := weighed.rested:
        sentences.append(
            ngettext(
                "No entry with a bye had more than %(n)s bye before.",
                "No entry with a bye had more than %(n)s byes before.",
                count,
            )
            % {"n": count}
        )
    return " ".join(sentences)


def _describe_repeats(weighed: PairingQualityCertificate) -> str:
    if not weighed.repeats:
        return _("No two bots at a table have met before.")
    pairs = ngettext("%(n)s pair met before", "%(n)s pairs met before", weighed.repeats) % {"n": weighed.repeats}
    if weighed.repeats == weighed.fewest:
        sentence = _("%(met)s; fewer is impossible, as shown %(how)s.")
    elif not weighed.fewest:
        sentence = _("%(met)s; it is not known whether fewer would have been possible.")
    else:
        sentence = _("%(met)s; at least %(fewest)s could not be avoided, as shown %(how)s.")
    return sentence % {
        "met": pairs,
        "fewest": weighed.fewest,
        "how": _(PROOF_METHODS[weighed.known]) if weighed.known else "",
    }


def _describe_floaters(floaters: int) -> str:
    if not floaters:
        return _("All bots of a table have equal points.")
    return ngettext(
        "%(n)s bot at a table where somebody has more points.",
        "%(n)s bots at a table where somebody has more points.",
        floaters,
    ) % {"n": floaters}


def _describe_seats(most: int) -> str:
    if not most:
        return _("Everybody has had each seat equally often.")
    return ngettext(
        "No bot has had one seat more than %(n)s time more often than another seat.",
        "No bot has had one seat more than %(n)s times more often than another seat.",
        most,
    ) % {"n": most}
