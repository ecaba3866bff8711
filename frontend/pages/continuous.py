"""Page of a game's continuous ladder: standings, open bouts, and settings for staff."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from bots.scopes import check_session
from foundation.games import games
from foundation.throttles import person_of, throttled
from foundation.words import asks
from frontend.pages.shared import found
from people.acts_of_staff import LONGEST_REASON, NotStaff, staff_of
from replays.reports.seat_statistics import read_seat_statistics
from tournaments import continuous, ladder_queries
from tournaments.bounds import CONTINUOUS
from tournaments.bout_terms import FASTEST, BadTerms, BoutTerms, usual
from tournaments.continuous_queries import Continuous, read_continuous


class LadderForm(forms.Form):
    """Settings of a continuous ladder."""

    rate = forms.IntegerField(label=_("Bouts an hour; 0 is off"), min_value=0, max_value=FASTEST)
    sizes = forms.RegexField(r"^\d{1,3}( *, *\d{1,3})*$", label=_("Sizes of its tables, taken in turn"), max_length=60)
    move_ms = forms.IntegerField(label=_("Milliseconds for a move"))
    bank_ms = forms.IntegerField(label=_("Milliseconds in the bank"))
    options = forms.CharField(label=_("The game's options, as JSON"), required=False, max_length=2000)
    why = forms.CharField(label=_("Why"), max_length=LONGEST_REASON)

    def terms(self) -> BoutTerms:
        """Return the settings."""
        said = {name: self.cleaned_data[name] for name in ("rate", "move_ms", "bank_ms", "options")}
        sizes = tuple(int(word) for word in self.cleaned_data["sizes"].split(","))
        return BoutTerms(sizes=sizes, **said)


@throttled("enter", by=person_of)
@asks("author", "language", "after")
@found
def page(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's continuous ladder; a POST by staff changes its settings."""
    shown, person = read_continuous(game), request.user
    form = LadderForm(request.POST if request.method == "POST" else None, initial=_initial(shown))
    if request.method == "POST":
        if not isinstance(person, User):
            return redirect_to_login(request.path)
        check_session(request, "organise")
        if form.is_valid() and _set(form, person, game):
            messages.success(request, _("The ladder is set."))
            return redirect("continuous", game=game)
    author, language = (request.GET.get(word, "") for word in ("author", "language"))
    context = {
        "ladder": ladder_queries.read_ladder(game, CONTINUOUS, author, language, request.GET.get("after", "")),
        "continuous": shown,
        "form": form if isinstance(person, User) and person.is_staff else None,
        "season": CONTINUOUS,
        "author": author,
        "language": language,
        "values": read_seat_statistics(game),
        "games": games(),
    }
    return render(request, "frontend/continuous.html", context, status=400 if form.is_bound else 200)


def _initial(shown: Continuous) -> dict[str, Any]:
    terms = replace(usual(shown.game, shown.rate), move_ms=shown.move_ms, bank_ms=shown.bank_ms, options=shown.options)
    sizes = shown.sizes or terms.sizes
    said = {name: getattr(terms, name) for name in ("rate", "move_ms", "bank_ms", "options")}
    return {**said, "sizes": ", ".join(map(str, sizes))}


def _set(form: LadderForm, person: User, game: str) -> bool:
    """Change the settings; return False after adding errors to the form. Raises PermissionDenied except for staff."""
    if not person.is_staff:
        raise PermissionDenied(_("only staff sets how a ladder goes on"))
    try:
        staff = staff_of(person, form.cleaned_data["why"])
        continuous.set_ladder(staff, game, form.terms(), int(timezone.now().timestamp()))
    except (BadTerms, NotStaff) as error:
        form.add_error(None, f"{error}.")
    return form.is_valid()
