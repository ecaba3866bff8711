"""Page of a match's review: sources of each share, turning points, and the costliest choices."""

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
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache

from bots.scopes import check_session
from foundation.throttles import person_of, throttled
from foundation.tongues import spoken
from foundation.words import asks
from frontend.pages.shared import found, title_of
from ftk_core.reviewed import Account, Choice, Play, Reviewed, TurningPoint
from replays.access import EyesClosed, UnknownEyes
from replays.queries import read_match
from replays.reviews.asking import NotReviewed, ask
from replays.reviews.reading import read_review

DEAREST = 5
"""Number of costliest choices listed."""
BY = {"deal": gettext_noop("the deal"), "chance": gettext_noop("chance"), "own": gettext_noop("their own choice")}


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """Sources of one seat's share, in hundredths."""

    name: str
    share: str
    parts: tuple[str, ...]
    """Contributions of the seat, the deal, chance, its own choices and the others' choices."""
    cost: str
    accuracy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwingRow:
    """A turning point."""

    frame: int
    name: str
    swing: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRow:
    """A costly choice with its alternatives."""

    frame: int
    name: str
    cost: str
    options: tuple[tuple[str, str, bool], ...]
    """(text, resulting share, True if chosen)."""


@throttled("enter", by=person_of)
@never_cache
@asks("eyes")
@found
def review(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show the review of a match, or its progress; a POST requests it."""
    page = read_match(match_id)
    eyes = request.GET.get("eyes", "all" if page.status == "closed" else "public")
    try:
        if request.method == "POST":
            return _ask(request, match_id, eyes)
        state = read_review(match_id, eyes, request.user.pk)
    except EyesClosed as error:
        raise PermissionDenied(str(error)) from None
    except UnknownEyes as error:
        raise Http404(str(error)) from None
    context = {"match": page, "title": title_of(page), "state": state, "eyes": eyes}
    if state.review:
        context |= _tables(state.review)
    return render(request, "frontend/review.html", context)


def _ask(request: HttpRequest, match_id: str, eyes: str) -> HttpResponse:
    """Request the review and redirect to it; raises EyesClosed or UnknownEyes."""
    if not isinstance(request.user, User):
        return redirect_to_login(request.get_full_path())
    check_session(request, "play")
    try:
        ask(match_id, eyes, request.user)
    except NotReviewed as error:
        messages.error(request, _("Not reviewed: %(why)s.") % {"why": error})
    return redirect(f"{reverse('match-review', args=(match_id,))}?eyes={eyes}")


def _tables(found: Reviewed) -> dict[str, object]:
    names = found.players
    dear = sorted((one for one in found.choices if one.weighing and _cost(one) > 0), key=_cost, reverse=True)
    return {
        "found": found,
        "ledger": [
            _ledger_row(names[seat], seat, account, found.play[seat]) for seat, account in enumerate(found.ledger)
        ],
        "swings": [_swing_row(names, point) for point in found.turning_points],
        "dearest": [_choice_row(names, choice) for choice in dear[:DEAREST]],
    }


def _cost(choice: Choice) -> Fraction:
    return Fraction(choice.weighing.cost) if choice.weighing else Fraction()


def _ledger_row(name: str, seat: int, account: Account, play: Play) -> LedgerRow:
    own = Fraction(account.choices[seat])
    others = sum(map(Fraction, account.choices), Fraction()) - own
    parts = (Fraction(account.seat), Fraction(account.deal), Fraction(account.chance), own, others)
    return LedgerRow(
        name=name,
        share=f"{float(Fraction(account.share)):.2f}",
        parts=tuple(map(_signed, parts)),
        cost=f"{float(Fraction(play.cost)):.2f}" if play.asked else "",
        accuracy=f"{float(Fraction(play.accuracy)):.0%}" if play.accuracy else "",
    )


def _swing_row(names: tuple[str, ...], point: TurningPoint) -> SwingRow:
    other = _("another's choice") if point.of is None else _("a choice of %(name)s") % {"name": names[point.of]}
    by = _(BY[point.by]) if point.by in BY else other
    return SwingRow(frame=point.frame, name=names[point.seat], swing=_signed(Fraction(point.swing)), by=by)


def _choice_row(names: tuple[str, ...], choice: Choice) -> ChoiceRow:
    weighing = choice.weighing
    assert weighing is not None
    options = sorted(weighing.options, key=lambda option: -Fraction(option.share))
    return ChoiceRow(
        frame=choice.frame,
        name=names[choice.seat],
        cost=f"{float(_cost(choice)):.2f}",
        options=tuple(
            (option.said[spoken()], f"{float(Fraction(option.share)):.2f}", option.item == weighing.chosen)
            for option in options
        ),
    )


def _signed(number: Fraction) -> str:
    return f"{float(number):+.2f}".replace("-", "\N{MINUS SIGN}") if abs(number) >= Fraction(1, 200) else "0"
