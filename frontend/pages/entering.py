"""Page to enter a league and to withdraw, for authors with a bot of its game."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from foundation.throttles import person_of, throttled
from frontend.pages.shared import found
from ftk_core.league.state import NotNow
from tournaments.desk import Refused, enter_own, withdraw_entry
from tournaments.entering import Choice, EntryPage, read_entry_page

NEWEST = "newest"


class EntryForm(forms.Form):
    """Form to choose a bot and its version."""

    entrant = forms.ChoiceField(label=_("Bot and version"))

    def __init__(self, choices: list[Choice], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["entrant"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(choice.bot, _options(choice)) for choice in choices if choice.versions]

    def entering(self) -> dict[str, Any]:
        """Return the choice as arguments of `enter_own`."""
        bot, _, version = self.cleaned_data["entrant"].partition(" ")
        return {"bot": bot, "newest": True} if version == NEWEST else {"bot": bot, "number": int(version)}


def _options(choice: Choice) -> list[tuple[str, str]]:
    numbers = [(f"{choice.bot} {number}", f"{choice.bot} v{number}") for number in choice.versions]
    return [
        (f"{choice.bot} {NEWEST}", _("%(bot)s: always the newest, until the round is paired") % {"bot": choice.bot}),
        *numbers,
    ]


@throttled("enter", by=person_of)
@never_cache
@found
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the conditions of a league and the author's eligible bots; a POST enters or withdraws one."""
    person = request.user
    if not isinstance(person, User):
        return redirect(f"{reverse('account_login')}?{urlencode({'next': request.path})}")
    shown = read_entry_page(slug, person.pk)
    if request.method == "POST" and "withdraw" in request.POST:
        return _withdrawn(request, person, shown)
    form = EntryForm(shown.choices, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            fact = enter_own(person, slug, **form.entering())
        except (NotNow, Refused, ObjectDoesNotExist) as error:
            form.add_error("entrant", f"{error}.")
        else:
            messages.success(
                request, _("%(name)s has entered, for round %(round)s.") % {"name": fact.name, "round": fact.round}
            )
            return redirect("enter", slug)
    context = {"league": shown, "form": form}
    return render(request, "frontend/enter.html", context, status=400 if form.is_bound else 200)


def _withdrawn(request: HttpRequest, person: User, shown: EntryPage) -> HttpResponse:
    number = request.POST["withdraw"]
    known = number.isascii() and number.isdecimal() and len(number) < 10
    try:
        name, proposal = withdraw_entry(person, shown.slug, int(number) if known else 0)
    except ObjectDoesNotExist:
        messages.error(request, _("There is no such entry."))
    except Refused as error:
        raise PermissionDenied(f"{error}") from None
    except NotNow as error:
        messages.error(request, f"{error}.")
    else:
        waits = _(
            "%(name)s is to be withdrawn once a second organiser approves. What it has begun is played to its end."
        )
        done = _("%(name)s has withdrawn. What it has begun is played to its end.")
        messages.info(request, (waits if proposal else done) % {"name": name})
    return redirect("enter", shown.slug)
