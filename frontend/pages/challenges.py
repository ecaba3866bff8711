"""Challenges of an author: matches on request, with their progress and results, and a form for new ones."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.queries import list_own_bots
from bots.scopes import check_session
from foundation.throttles import person_of, throttled
from foundation.words import asks
from ftk_core.league.state import NotNow
from tournaments.challenge_queries import list_challenges
from tournaments.challenging import LONGEST_SEED, MOST, Wanted, challenge
from tournaments.desk import Refused


class ChallengeForm(forms.Form):
    """Form of a challenge: the bot, its opponents, and the number of matches."""

    bot = forms.ChoiceField(label=_("Your bot"))
    against = forms.CharField(
        label=_("Against (names of bots, with commas between them)"), required=False, max_length=800
    )
    neighbours = forms.BooleanField(label=_("Against its neighbours on the continuous ladder instead"), required=False)
    matches = forms.IntegerField(label=_("Matches"), min_value=1, max_value=MOST, initial=20)
    duplicate = forms.BooleanField(label=_("In duplicate: each deal from every seat"), required=False)
    seed = forms.CharField(label=_("Seed (with one nothing is rated)"), required=False, max_length=LONGEST_SEED)

    def __init__(self, bots: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["bot"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(slug, slug) for slug in bots]

    def clean(self) -> dict[str, Any]:
        """Require either named bots or the neighbours."""
        said = super().clean() or {}
        said["against"] = tuple(name for name in re.split(r"[\s,]+", said.get("against") or "") if name)
        if bool(said["against"]) == bool(said.get("neighbours")):
            raise forms.ValidationError(_("Name the bots that it is to meet, or choose its neighbours."))
        return said


@throttled("enter", by=person_of)
@never_cache
@asks("against")
def page(request: HttpRequest) -> HttpResponse:
    """Show an author's challenges; a POST orders another one."""
    person = request.user
    if not isinstance(person, User):
        return redirect_to_login(request.get_full_path())
    bots = [row.slug for row in list_own_bots(person.pk)]
    initial = {"against": request.GET.get("against", "")}
    form = ChallengeForm(bots, request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST":
        check_session(request, "enter")
        if form.is_valid() and _asked(form, person, request):
            return redirect("challenge")
    context = {"challenges": list_challenges(person), "form": form, "bots": bots}
    return render(request, "frontend/challenge.html", context, status=400 if form.is_bound else 200)


def _asked(form: ChallengeForm, person: User, request: HttpRequest) -> bool:
    """Order the matches; return False after adding errors to the form."""
    try:
        row = challenge(person, Wanted(**form.cleaned_data))
    except Refused as error:
        raise PermissionDenied(f"{error}") from None
    except (NotNow, ObjectDoesNotExist) as error:
        form.add_error(None, f"{error}.")
        return False
    messages.success(request, _("%(size)s matches of %(row)s are asked for.") % {"size": row.size, "row": row})
    return True
