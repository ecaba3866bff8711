"""Human-readable output of `ftk compare`."""

from __future__ import annotations

import math
from gettext import gettext as _

from ftk_core.kit.match_series.series_reports import VersionComparisonReport
from ftk_core.kit.terminal_output import out


def print_comparison(report: VersionComparisonReport) -> None:
    """Print the result of a comparison of two versions of a bot."""
    for line in [*_conclusion(report), *_details(report)]:
        out.print(line)


def _conclusion(report: VersionComparisonReport) -> list[str]:
    estimate, low, high = (signed_percent(share) for share in (report.estimate, report.low, report.high))
    values = {
        "conclusion": _(report.conclusion),
        "candidate": report.candidate,
        "reference": report.reference,
        "estimate": estimate,
        "low": low,
        "high": high,
        "blocks": report.blocks,
        "matches": report.matches,
        "seats": report.seats,
        "against": ", ".join(report.against),
        "ratio": f"{report.log_ratio:+.2f}",
        "lower": f"{report.lower:.2f}",
        "upper": f"{report.upper:+.2f}",
    }
    head_to_head = [
        _("{conclusion}: {candidate} wins {estimate} more often than {reference} ({low} to {high}, 95 % sure)"),
        _("{blocks} pairs, {matches} matches head to head; log ratio {ratio}, decided below {lower} or above {upper}"),
    ]
    against_field = [
        _(
            "{conclusion}: the share of opponents beaten by {candidate} differs from that of {reference}"
            " by {estimate} ({low} to {high}, 95 % sure)"
        ),
        _(
            "{blocks} blocks, {matches} matches at tables of {seats} against {against}; log ratio {ratio},"
            " decided below {lower} or above {upper}"
        ),
    ]
    return [line.format(**values) for line in (head_to_head if report.head_to_head else against_field)]


def _details(report: VersionComparisonReport) -> list[str]:
    lines = []
    if report.elo is not None:
        lines.append(_("about {elo} Elo").format(elo=format(report.elo, "+.0f")))
    if report.reference_faults or report.candidate_faults:
        lines.append(
            _("faults: {reference} {reference_faults}, {candidate} {candidate_faults}").format(
                reference=report.reference,
                reference_faults=report.reference_faults,
                candidate=report.candidate,
                candidate_faults=report.candidate_faults,
            )
        )
    if report.conclusion == "open":
        enough = report.blocks + math.ceil(report.more_matches * report.blocks / report.matches)
        message = _(
            "not decided yet: if the estimate is right, about {more_matches} more matches will decide it."
            " Run it again with --max-blocks {enough}, which allows about twice as many; --resume FILE"
            " keeps the matches that are played"
        )
        lines.append(message.format(more_matches=report.more_matches, enough=2 * enough))
    return lines


def signed_percent(share: float) -> str:
    """Format a share as a percentage with a sign: 0.05 becomes "+5.0 %"."""
    return f"{100 * share:+.1f} %"
