"""Pages of a person's webhooks and their deliveries."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.api.token_scope_permissions import check_session
from foundation.message_translation import with_full_stop
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing, require_sign_in
from notices.public_events import KINDS
from notices.webhook_url_validation import MAX_URL_CHARACTERS
from notices.webhooks import webhook_endpoints
from tournaments.league_limits import MAX_SLUG_CHARACTERS

MAX_SHOWN_DELIVERIES = 100
MAX_KEY_CHARACTERS = 40


class WebhookForm(forms.Form):
    """Form for a new webhook: its URL, the kinds of events, and optionally one league."""

    url = forms.CharField(
        max_length=MAX_URL_CHARACTERS,
        label=_("Address"),
        widget=forms.URLInput(attrs={"placeholder": "https://bots.example/hook", "autocomplete": "off"}),
    )
    league = forms.SlugField(
        max_length=MAX_SLUG_CHARACTERS,
        required=False,
        label=_("League, if only one"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    kinds = forms.MultipleChoiceField(
        choices=[(name, format_lazy("{}: {}", name, _(when))) for name, when in KINDS.items()],
        widget=forms.CheckboxSelectMultiple,
        label=_("Send a message when"),
        error_messages={"required": _("Choose at least one.")},
    )

    def save(self, person: User) -> tuple[int, str] | None:
        """Store the webhook. Return its id and secret, or None if it is refused."""
        said = self.cleaned_data
        try:
            row = webhook_endpoints.add(person, said["url"], said["kinds"], said["league"])
            return row.pk, row.secret
        except webhook_endpoints.WebhookEndpointConflict as error:
            self.add_error("url", with_full_stop(capfirst(str(error))))
        except ObjectDoesNotExist as error:
            self.add_error("league", with_full_stop(capfirst(str(error))))
        return None


@rate_limited("webhook", by=request_subject)
@never_cache
@require_sign_in
def page(request: HttpRequest, person: User) -> HttpResponse:
    """Show a person's webhooks; a POST adds one."""
    # The secret is shown only once.
    check_session(request, "notify" if request.method == "POST" else "read")
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and (made := form.save(person)):
        number, secret = made
        messages.success(request, secret, extra_tags="secret")
        return redirect("webhook", number)
    context = {"form": form, "webhooks": webhook_endpoints.list_own(person)}
    return render(request, "frontend/webhooks.html", context, status=400 if form.is_bound else 200)


@rate_limited("webhook", by=request_subject)
@never_cache
@handle_missing
@require_sign_in
def webhook(request: HttpRequest, person: User, number: int) -> HttpResponse:
    """Show the deliveries of a webhook; a POST changes, tests or removes it."""
    check_session(request, "notify" if request.method == "POST" else "read")
    row = webhook_endpoints.find_own(person, number)
    if request.method == "POST":
        return _handle_post(request, person, number)
    context = {
        "webhook": row,
        "kinds": KINDS,
        "deliveries": webhook_endpoints.list_deliveries(row, MAX_SHOWN_DELIVERIES),
    }
    return render(request, "frontend/webhook.html", context)


def _handle_post(request: HttpRequest, person: User, number: int) -> HttpResponse:
    said = request.POST
    if "remove" in said:
        webhook_endpoints.remove(person, number)
        messages.info(request, _("The webhook is removed."))
        return redirect("webhooks")
    if "rotate" in said:
        messages.success(request, webhook_endpoints.rotate(person, number).secret, extra_tags="secret")
    elif "enable" in said:
        webhook_endpoints.enable(person, number)
        messages.success(request, _("The webhook is enabled; what waited goes first."))
    elif "test" in said:
        _run_and_report(request, lambda: webhook_endpoints.send_test(person, number), gettext("A test is on its way."))
    else:
        key = said.get("replay", "")[:MAX_KEY_CHARACTERS]
        key = key if key.isprintable() else ""
        _run_and_report(
            request, lambda: webhook_endpoints.replay(person, number, key), gettext("It is delivered again.")
        )
    return redirect("webhook", number)


def _run_and_report(request: HttpRequest, action: Callable[[], object], message: str) -> None:
    try:
        action()
    except webhook_endpoints.WebhookEndpointConflict as error:
        messages.error(request, with_full_stop(error))
    else:
        messages.success(request, message)
