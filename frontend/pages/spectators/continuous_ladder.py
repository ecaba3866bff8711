"""Page of a game's continuous ladder (rated matches outside leagues): ratings, matches, and the settings for staff."""

from __future__ import annotations

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

from bots.api.token_scope_permissions import check_session
from foundation import time_control_fields
from foundation.game_titles import games
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.game_option_fields import encode_options, make_option_fields
from frontend.pages.http_error_conversion import handle_missing
from ftk_core.games import game as rules_of
from ftk_core.match_state_from_log import AnyGame
from people.staff_audit_trail import MAX_REASON_CHARACTERS, InvalidStaffActionError, require_staff
from replays.reports.seat_statistics import read_seat_statistics
from tournaments.continuous_ladder import services as continuous_services
from tournaments.continuous_ladder.continuous_ladder_settings import (
    MAX_BOUTS_PER_HOUR,
    ContinuousLadderSettings,
    ContinuousLadderSettingsError,
    make_default_ladder_settings,
)
from tournaments.continuous_ladder.queries import ContinuousLadderOverview, read_continuous
from tournaments.ladders import queries as ladder_queries
from tournaments.league_limits import CONTINUOUS


class ContinuousLadderForm(forms.Form):
    """Staff form for the settings of a game's continuous ladder, such as the number of matches an hour."""

    rate = forms.IntegerField(label=_("Bouts an hour; 0 is off"), min_value=0, max_value=MAX_BOUTS_PER_HOUR)
    sizes = forms.RegexField(r"^\d{1,3}( *, *\d{1,3})*$", label=_("Sizes of its tables, taken in turn"), max_length=60)
    vars().update(time_control_fields.form_fields())
    why = forms.CharField(label=_("Why"), max_length=MAX_REASON_CHARACTERS)

    def __init__(self, rules: AnyGame, options: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = rules
        reason = self.fields.pop("why")
        self.fields |= {**make_option_fields(rules, options), "why": reason}

    def terms(self) -> ContinuousLadderSettings:
        """Return the submitted settings."""
        values = self.cleaned_data
        sizes = tuple(int(size) for size in values["sizes"].split(","))
        return ContinuousLadderSettings(
            rate=values["rate"],
            sizes=sizes,
            options=encode_options(self.rules, values),
            clock=time_control_fields.clock_from(values),
        )


@rate_limited("enter", by=request_subject)
@query_parameters("author", "language", "after")
@handle_missing
def page(request: HttpRequest, game: str) -> HttpResponse:
    """Show the continuous ladder of a game; a POST by staff changes its settings."""
    shown, person = read_continuous(game), request.user
    submitted = request.POST if request.method == "POST" else None
    form = ContinuousLadderForm(rules_of(game), shown.options, submitted, initial=_list_initial_values(shown))
    if request.method == "POST":
        if not isinstance(person, User):
            return redirect_to_login(request.path)
        check_session(request, "organise")
        if form.is_valid() and _change_settings(form, person, game):
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


def _list_initial_values(continuous: ContinuousLadderOverview) -> dict[str, Any]:
    sizes = continuous.sizes or make_default_ladder_settings(continuous.game, continuous.rate).sizes
    return {"rate": continuous.rate, "sizes": ", ".join(map(str, sizes))} | continuous.clock.parts


def _change_settings(form: ContinuousLadderForm, person: User, game: str) -> bool:
    """Change the settings of a ladder. Return False if they are invalid."""
    # Errors are added to the form. Raises PermissionDenied for people who are not staff.
    if not person.is_staff:
        raise PermissionDenied(_("only staff sets how a ladder goes on"))
    try:
        staff = require_staff(person, form.cleaned_data["why"])
        continuous_services.set_ladder(staff, game, form.terms(), int(timezone.now().timestamp()))
    except (ContinuousLadderSettingsError, InvalidStaffActionError) as error:
        form.add_error(None, with_full_stop(error))
    return form.is_valid()
