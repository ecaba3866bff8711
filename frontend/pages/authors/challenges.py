"""Page of an author's challenges: matches that the author orders, with progress and results."""

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
from django.utils.translation import gettext_lazy as _, ngettext
from django.views.decorators.cache import never_cache

from bots.api.token_scope_permissions import check_session
from bots.queries import list_own_bots
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from ftk_core.league.league_state import CommandRejected
from tournaments.challenges.queries import list_challenges
from tournaments.challenges.services import MAX_CHALLENGE_MATCHES, MAX_SEED_CHARACTERS, ChallengeRequest, challenge
from tournaments.organisers.organiser_permission_checks import MissingRightError


class ChallengeForm(forms.Form):
    """Form for a new challenge: the bot, its opponents, and the number of matches."""

    bot = forms.ChoiceField(label=_("Your bot"))
    against = forms.CharField(
        label=_("Against (names of bots, with commas between them)"), required=False, max_length=800
    )
    neighbours = forms.BooleanField(label=_("Against its neighbours on the continuous ladder instead"), required=False)
    matches = forms.IntegerField(label=_("Matches"), min_value=1, max_value=MAX_CHALLENGE_MATCHES, initial=20)
    duplicate = forms.BooleanField(label=_("In duplicate: each deal from every seat"), required=False)
    seed = forms.CharField(label=_("Seed (with one nothing is rated)"), required=False, max_length=MAX_SEED_CHARACTERS)

    def __init__(self, bots: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["bot"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(slug, slug) for slug in bots]

    def clean(self) -> dict[str, Any]:
        """Split the names of the opponents.

        Raises ValidationError if the form has neither names nor the option `neighbours` (bots with similar ratings), or
        both.
        """
        said = super().clean() or {}
        said["against"] = tuple(name for name in re.split(r"[\s,]+", said.get("against") or "") if name)
        if bool(said["against"]) == bool(said.get("neighbours")):
            raise forms.ValidationError(_("Name the bots that it is to meet, or choose its neighbours."))
        return said


@rate_limited("enter", by=request_subject)
@never_cache
@query_parameters("against")
def page(request: HttpRequest) -> HttpResponse:
    """Show the challenges of the author; a POST orders the matches of a new challenge."""
    person = request.user
    if not isinstance(person, User):
        return redirect_to_login(request.get_full_path())
    bots = [row.slug for row in list_own_bots(person.pk)]
    initial = {"against": request.GET.get("against", "")}
    form = ChallengeForm(bots, request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST":
        check_session(request, "enter")
        if form.is_valid() and _order_challenge(form, person, request):
            return redirect("challenge")
    context = {"challenges": list_challenges(person), "form": form, "bots": bots}
    return render(request, "frontend/challenge.html", context, status=400 if form.is_bound else 200)


def _order_challenge(form: ChallengeForm, person: User, request: HttpRequest) -> bool:
    """Order the matches of a challenge. Return False if it is refused."""
    # Errors are added to the form. Raises PermissionDenied for the bot of another author.
    try:
        row = challenge(person, ChallengeRequest(**form.cleaned_data))
    except MissingRightError as error:
        raise PermissionDenied(f"{error}") from None
    except (CommandRejected, ObjectDoesNotExist) as error:
        form.add_error(None, with_full_stop(error))
        return False
    text = ngettext("%(size)s match of %(row)s is asked for.", "%(size)s matches of %(row)s are asked for.", row.size)
    messages.success(request, text % {"size": row.size, "row": row})
    return True
