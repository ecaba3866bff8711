"""Page on which authors enter their bots in a league, or withdraw them."""

from __future__ import annotations

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

from bots.api.token_scope_permissions import SESSION_SCOPES_KEY
from foundation.message_translation import with_full_stop
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.entry_question_fields import PREFIX, make_answer_fields
from frontend.pages.http_error_conversion import handle_missing
from ftk_core.kit.client.api_token_format import SCOPES
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.entry_rules import BotEntryOption, LeagueEntryFormContent, read_entry_page
from tournaments.organisers.organiser_action_submission import enter_own, withdraw_entry
from tournaments.organisers.organiser_permission_checks import MissingRightError

NEWEST_CHOICE = "newest"


class LeagueEntryForm(forms.Form):
    """Form with which an author enters a bot in a league."""

    entrant = forms.ChoiceField(label=_("Bot and version"))

    def __init__(self, entry_page: LeagueEntryFormContent, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= make_answer_fields(entry_page.questions)
        field = self.fields["entrant"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(choice.bot, _list_options(choice)) for choice in entry_page.choices if choice.versions]

    def make_entry_arguments(self) -> dict[str, Any]:
        """Return the chosen bot, its version and the answers as keyword arguments of the service `enter_own`."""
        bot, _, version = self.cleaned_data["entrant"].partition(" ")
        chosen = {"newest": True} if version == NEWEST_CHOICE else {"number": int(version)}
        answers = [answer for name, answer in self.cleaned_data.items() if name.startswith(PREFIX)]
        return {"bot": bot, **chosen, "answers": answers}


def _list_options(choice: BotEntryOption) -> list[tuple[str, str]]:
    numbers = [(f"{choice.bot} {number}", f"{choice.bot} v{number}") for number in choice.versions]
    return [
        (
            f"{choice.bot} {NEWEST_CHOICE}",
            _("%(bot)s: always the newest, until the round is paired") % {"bot": choice.bot},
        ),
        *numbers,
    ]


@rate_limited("enter", by=request_subject)
@never_cache
@handle_missing
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league's entry conditions; a POST enters or withdraws a bot."""
    person = request.user
    if not isinstance(person, User):
        return redirect_to_login(request.path)
    shown = read_entry_page(slug, person.pk)
    if request.method == "POST" and "withdraw" in request.POST:
        return _withdraw(request, person, shown)
    form = LeagueEntryForm(shown, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            fact = enter_own(person, slug, **form.make_entry_arguments())
        except (CommandRejected, MissingRightError, ObjectDoesNotExist) as error:
            form.add_error("entrant", with_full_stop(error))
        else:
            messages.success(
                request, _("%(name)s has entered, for round %(round)s.") % {"name": fact.name, "round": fact.round}
            )
            return redirect("enter", slug)
    context = {"league": shown, "form": form}
    return render(request, "frontend/enter.html", context, status=400 if form.is_bound else 200)


def _withdraw(request: HttpRequest, person: User, entry_page: LeagueEntryFormContent) -> HttpResponse:
    number = request.POST["withdraw"]
    known = number.isascii() and number.isdecimal() and len(number) < 10
    try:
        organises = "organise" in request.session.get(SESSION_SCOPES_KEY, SCOPES)
        name, proposal = withdraw_entry(person, entry_page.slug, int(number) if known else 0, organises=organises)
    except ObjectDoesNotExist:
        messages.error(request, _("There is no such entry."))
    except MissingRightError as error:
        raise PermissionDenied(f"{error}") from None
    except CommandRejected as error:
        messages.error(request, with_full_stop(error))
    else:
        waits = _(
            "%(name)s is to be withdrawn once a second organiser approves. What it has begun is played to its end."
        )
        done = _("%(name)s has withdrawn. What it has begun is played to its end.")
        messages.info(request, (waits if proposal else done) % {"name": name})
    return redirect("enter", entry_page.slug)
