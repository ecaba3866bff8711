"""Page of a match analysis, which attributes the result to seats, chance and choices."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from bots.api.token_scope_permissions import check_session
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from foundation.response_language import active_language
from frontend.pages.http_error_conversion import handle_missing, make_title
from frontend.pages.spectators.player_mistake_descriptions import describe_player_mistakes, name_cause
from ftk_core.analysis.bot_play_summary import costliest_choices
from ftk_core.analysis.match_review_document import (
    MatchReviewDocument,
    ReviewedChoice,
    ReviewedMistake,
    SeatAccuracySummary,
)
from ftk_core.analysis.win_share_changes import TurningPoint, WinShareContributions
from ftk_core.i18n import pick_text
from replays.match_access import InvalidViewpointError, MatchViewForbiddenError, find_played_seat
from replays.queries import read_match
from replays.reviews.review_requests import ReviewRequestRefusedError, request_review, required_viewer
from replays.reviews.stored_reviews import read_review

MAX_COSTLY_CHOICES = 5
"""Maximum number of choices in the list of those that cost their players most."""
MAX_OWN_MISTAKES = 3
"""Maximum number of costly choices listed for a person who played by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormattedWinShareContributions:
    """Formatted texts about a player's result in a match, and how much each cause contributed to it."""

    name: str
    share: str
    parts: tuple[str, ...]
    """Contributions of the seat, the deal, chance, own choices, the others' choices, and the part not explained."""
    cost: str
    """Expected share of opponents beaten that the player lost by their own choices; empty if unknown."""
    accuracy: str
    """Accuracy of the player's choices in per cent; empty if none of the choices made a difference."""
    sure: bool
    """True if the calibration of the values confirms the cost and the accuracy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormattedTurningPoint:
    """Turning point of a match: a moment that changed a player's chances much."""

    frame: int
    name: str
    swing: str
    """Change of the share, with the half-width of its 95% interval."""
    sure: bool
    """True if the 95% interval of the change does not contain 0."""
    by: str
    """Source of the change: the deal, chance, or a player's choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormattedCostlyChoice:
    """Formatted texts about a player's costly choice and its alternatives."""

    frame: int
    name: str
    cost: str
    """Expected share of opponents beaten that the choice cost, with the half-width of the 95% interval."""
    sure: bool
    """True if the whole 95% interval of the cost is above 0."""
    options: tuple[tuple[str, str, bool], ...]
    """Triples (description of the option, expected share after it, True if it was chosen), the best option first."""


@rate_limited("enter", by=request_subject)
@never_cache
@query_parameters("eyes")
@handle_missing
def review(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the analysis of a match or its progress; a POST requests one."""
    # The parameter `eyes` names the knowledge that the analysis uses: `own` (what each seat knew), `all` or `public`.
    page = read_match(match_id)
    eyes = request.GET.get("eyes", "own" if page.status == "closed" else "public")
    try:
        if request.method == "POST":
            return _request_review(request, match_id, eyes)
        state = read_review(match_id, eyes, request.user.pk)
    except MatchViewForbiddenError as error:
        raise PermissionDenied(str(error)) from None
    except InvalidViewpointError as error:
        raise Http404(str(error)) from None
    context = {"match": page, "title": make_title(page), "state": state, "eyes": eyes}
    context["match_eyes"] = required_viewer(eyes)
    if state.review:
        context |= _make_tables(state.review)
        seat = find_played_seat(match_id, request.user.pk)
        mistakes = () if seat is None else costliest_choices(state.review, seat, MAX_OWN_MISTAKES)
        context["mistakes"] = describe_player_mistakes(mistakes)
    return render(request, "frontend/review.html", context)


def _request_review(request: HttpRequest, match_id: str, eyes: str) -> HttpResponse:
    """Request the analysis of a match and redirect to its page.

    `eyes` names the point of view: ``public``, ``all`` or a seat number. Raises InvalidViewpointError for any other
    value. Raises MatchViewForbiddenError if the user may not see the match from this point of view.
    """
    if not isinstance(request.user, User):
        return redirect_to_login(request.get_full_path())
    check_session(request, "play")
    try:
        request_review(match_id, eyes, request.user)
    except ReviewRequestRefusedError as error:
        messages.error(request, _("Not reviewed: %(why)s.") % {"why": error})
    return redirect(f"{reverse('match-review', args=(match_id,))}?eyes={eyes}")


def _make_tables(document: MatchReviewDocument) -> dict[str, object]:
    names = document.players
    choices = {choice.frame: choice for choice in document.choices}
    return {
        "found": document,
        "ledger": [
            _make_ledger_row(names[seat], seat, account, document.play[seat])
            for seat, account in enumerate(document.ledger)
        ],
        "swings": [_make_swing_row(names, point) for point in document.turning_points],
        "dearest": [
            _make_choice_row(names, costly, choices[costly.frame]) for costly in document.costliest[:MAX_COSTLY_CHOICES]
        ],
    }


def _make_ledger_row(
    name: str, seat: int, account: WinShareContributions, play: SeatAccuracySummary
) -> FormattedWinShareContributions:
    own = Fraction(account.choices[seat])
    others = sum(map(Fraction, account.choices), Fraction()) - own
    seat_part, deal, chance, rest = map(Fraction, (account.seat, account.deal, account.chance, account.unexplained))
    return FormattedWinShareContributions(
        name=name,
        share=f"{float(Fraction(account.share)):.2f}",
        parts=tuple(map(_format_signed, (seat_part, deal, chance, own, others, rest))),
        cost=f"{float(Fraction(play.cost)):.2f}" if play.asked else "",
        accuracy=f"{float(Fraction(play.accuracy)):.0%}" if play.accuracy else "",
        sure=play.sure,
    )


def _make_swing_row(names: tuple[str, ...], point: TurningPoint) -> FormattedTurningPoint:
    by = name_cause(point, names)
    swing = f"{_format_signed(Fraction(point.swing))} \N{PLUS-MINUS SIGN} {float(Fraction(point.margin)):.2f}"
    return FormattedTurningPoint(frame=point.frame, name=names[point.seat], swing=swing, sure=point.sure, by=by)


def _make_choice_row(names: tuple[str, ...], costly: ReviewedMistake, choice: ReviewedChoice) -> FormattedCostlyChoice:
    weighing = choice.weighing
    assert weighing is not None
    options = sorted(weighing.options, key=lambda option: -Fraction(option.share))
    return FormattedCostlyChoice(
        frame=choice.frame,
        name=names[choice.seat],
        cost=f"{float(Fraction(costly.loss)):.2f} \N{PLUS-MINUS SIGN} {float(Fraction(costly.margin)):.2f}",
        sure=costly.sure,
        options=tuple(
            (
                pick_text(option.said, active_language()),
                f"{float(Fraction(option.share)):.2f}",
                option.item == weighing.chosen,
            )
            for option in options
        ),
    )


def _format_signed(number: Fraction) -> str:
    return f"{float(number):+.2f}".replace("-", "\N{MINUS SIGN}") if abs(number) >= Fraction(1, 200) else "0"
