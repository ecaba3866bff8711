"""Summaries of a bot's play in its reviewed matches."""

from __future__ import annotations

import msgspec
from django.db.models import Max

from bots.versions.queries import select_bot
from ftk_core.analysis.bot_play_summary import BotPlaySummary, SeatPlaySummary, combine_summaries, summarize_seat
from ftk_core.analysis.match_review_document import MatchReviewDocument
from replays.models import Match
from replays.models.reviews import MatchReview, ReviewedSeatSummary

SUMMARIZED_EYES = "own"
"""Value of `MatchReview.eyes` of the reviews to summarize: those that judge each seat by what it knew."""
MAX_MATCHES = 200
"""Number of a bot's latest reviewed matches that a report combines."""


def summarize_seats(row: MatchReview, document: MatchReviewDocument) -> list[ReviewedSeatSummary]:
    """Summarize the play of each seat in a reviewed match; return `ReviewedSeatSummary` objects, not saved yet."""
    return [
        ReviewedSeatSummary(
            review=row, seat=seat, bot_id=bot, summary=msgspec.to_builtins(summarize_seat(document, seat))
        )
        for seat, bot in row.match.seats.order_by("seat").values_list("seat", "bot")
    ]


def read_coaching(bot_slug: str) -> BotPlaySummary | None:
    """Return a report on how well a bot played in its latest reviewed public matches, or None."""
    rows = ReviewedSeatSummary.objects.filter(
        bot=select_bot(bot_slug), review__match__released=True, review__match__status=Match.Status.CLOSED
    )
    # a review has a row for each seat of the bot
    newest = rows.values("review").annotate(newest=Max("pk")).order_by("-newest").values("review")[:MAX_MATCHES]
    stored = rows.filter(review__in=newest).order_by("-pk").values_list("summary", flat=True)
    reports = combine_summaries([msgspec.convert(summary, SeatPlaySummary) for summary in stored], bot_slug)
    return reports[0] if reports else None
