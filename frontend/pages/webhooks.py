"""Pages of a person's webhooks: the list with a form, and the deliveries of each."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.scopes import check_session
from foundation.throttles import person_of, throttled
from frontend.pages.shared import found
from notices import endpoints
from notices.addresses import LONGEST_URL
from notices.happenings import KINDS
from tournaments.bounds import LONGEST_SLUG

MOST_SHOWN = 100
LONGEST_KEY = 40


class WebhookForm(forms.Form):
    """Form of a webhook: its URL and the kinds of events."""

    url = forms.CharField(
        max_length=LONGEST_URL,
        label=_("Address"),
        widget=forms.URLInput(attrs={"placeholder": "https://bots.example/hook", "autocomplete": "off"}),
    )
    league = forms.SlugField(
        max_length=LONGEST_SLUG,
        required=False,
        label=_("League, if only one"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    kinds = forms.MultipleChoiceField(
        choices=[(name, format_lazy("{}: {}", name, _(when))) for name, when in KINDS.items()],
        widget=forms.CheckboxSelectMultiple,
        label=_("Tell it when"),
        error_messages={"required": _("Choose at least one.")},
    )

    def save(self, person: User) -> tuple[int, str] | None:
        """Add the webhook and return its number and its secret, or None after adding errors to the form."""
        said = self.cleaned_data
        try:
            row = endpoints.add(person, said["url"], said["kinds"], said["league"])
            return row.pk, row.secret
        except endpoints.NotSo as error:
            self.add_error("url", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        except ObjectDoesNotExist as error:
            self.add_error("league", f"{str(error).capitalize()}.")
        return None


@throttled("webhook", by=person_of)
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Show a person's webhooks; a POST adds one, whose secret is shown once."""
    person = request.user
    if not isinstance(person, User):
        return redirect("account_login")
    check_session(request, "notify" if request.method == "POST" else "read")
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and (made := form.save(person)):
        number, secret = made
        messages.success(request, secret, extra_tags="secret")
        return redirect("webhook", number)
    context = {"form": form, "webhooks": endpoints.own(person)}
    return render(request, "frontend/webhooks.html", context, status=400 if form.is_bound else 200)


@throttled("webhook", by=person_of)
@never_cache
@found
def webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Show the deliveries of one webhook; a POST tests, replays, rotates, enables or removes."""
    person = request.user
    if not isinstance(person, User):
        return redirect("account_login")
    check_session(request, "notify" if request.method == "POST" else "read")
    row = endpoints.find_own(person, number)
    if request.method == "POST":
        return _done(request, person, number)
    context = {"webhook": row, "kinds": KINDS, "deliveries": endpoints.list_deliveries(row, MOST_SHOWN)}
    return render(request, "frontend/webhook.html", context)


def _done(request: HttpRequest, person: User, number: int) -> HttpResponse:
    said = request.POST
    if "remove" in said:
        endpoints.remove(person, number)
        messages.info(request, _("The webhook is removed."))
        return redirect("webhooks")
    if "rotate" in said:
        messages.success(request, endpoints.rotate(person, number).secret, extra_tags="secret")
    elif "enable" in said:
        endpoints.enable(person, number)
        messages.success(request, _("The webhook is enabled; what waited goes first."))
    elif "test" in said:
        _try(request, lambda: endpoints.send_test(person, number), gettext("A test is on its way."))
    else:
        key = said.get("replay", "")[:LONGEST_KEY]
        key = key if key.isprintable() else ""
        _try(request, lambda: endpoints.replay(person, number, key), gettext("It is delivered again."))
    return redirect("webhook", number)


def _try(request: HttpRequest, do: Callable[[], object], done: str) -> None:
    try:
        do()
    except endpoints.NotSo as error:
        messages.error(request, f"{error}.")
    else:
        messages.success(request, done)
