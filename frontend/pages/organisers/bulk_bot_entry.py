"""Page on which organisers enter many bots in a league."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache

from foundation.message_translation import with_full_stop
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing
from frontend.pages.organisers.organiser_console import organiser_view
from ftk_core.league.league_state import CommandRejected
from tournaments.leagues.bulk_league_entry import parse_bot_list
from tournaments.organisers.organiser_action_preview import OrganiserActionPreview, OutdatedActionPreviewError
from tournaments.organisers.organiser_action_submission import MAX_REASON_CHARACTERS, preview_act, propose_or_act
from tournaments.organisers.organiser_page_queries import find_league
from tournaments.organisers.organiser_permission_checks import check_right

VERB = "enlist"


class BulkEntryForm(forms.Form):
    """Form to enter many bots in a league."""

    bots = forms.CharField(
        required=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
        label=_("CSV text"),
        help_text=_("the first line names the columns, one of them bot"),
    )
    file = forms.FileField(required=False, label=_("or a CSV file"))
    why = forms.CharField(max_length=MAX_REASON_CHARACTERS, label=_("Why"), help_text=_("everybody reads it"))

    def clean_file(self) -> str:
        """Return the text of the uploaded file. Raises ValidationError if it is not in UTF-8."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        try:
            return bytes(file.read()).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise forms.ValidationError(_("The file is not a text in UTF-8.")) from None

    def clean(self) -> dict[str, Any]:
        """Read the list of bots from the file or the text; add an error if it is invalid."""
        cleaned: dict[str, Any] = self.cleaned_data
        cleaned["text"] = (cleaned.get("file") or cleaned.get("bots", "")).strip()
        try:
            cleaned["names"] = parse_bot_list(cleaned["text"])
        except CommandRejected as error:
            self.add_error("file" if cleaned.get("file") else "bots", with_full_stop(error))
        return cleaned


@rate_limited("enter", by=request_subject)
@never_cache
@handle_missing
@organiser_view
def page(request: HttpRequest, person: User, slug: str) -> HttpResponse:
    """Show the effects of entering many bots in a league. A second POST enters the bots.

    If the organiser has a bot in the league, the second POST only proposes the entry to a second organiser.
    """
    # `confirm` is a hash of the effects that the page has shown. If they have changed since, they are shown again and
    # no bot enters.
    league = find_league(slug)
    check_right(person, league, VERB, {})
    if request.method != "POST":
        return _render(request, slug, BulkEntryForm())
    form = BulkEntryForm(request.POST, request.FILES)
    is_confirmed = "confirm" in request.POST
    if not is_confirmed:
        form.errors.pop("why", None)
    if form.errors:
        return _render(request, slug, form)
    bots, outdated = {"bots": form.cleaned_data["names"]}, False
    try:
        if is_confirmed:
            why, digest = form.cleaned_data["why"], request.POST["confirm"]
            proposal = propose_or_act(person, league, VERB, bots, why, digest)
            waits, done = gettext("It waits for a second organiser."), gettext("The bots have entered.")
            messages.success(request, waits if proposal else done)
            return redirect("desk", slug)
        effects = preview_act(person, league, VERB, bots)
    except OutdatedActionPreviewError as error:
        effects, outdated = error.effects, True
    except CommandRejected as error:
        form.add_error(None, with_full_stop(error))
        return _render(request, slug, form)
    shown = BulkEntryForm(initial={"bots": form.cleaned_data["text"], "why": request.POST.get("why", "")})
    return _render(request, slug, shown, effects, outdated=outdated)


def _render(
    request: HttpRequest,
    slug: str,
    form: BulkEntryForm,
    effects: OrganiserActionPreview | None = None,
    *,
    outdated: bool = False,
) -> HttpResponse:
    context = {"league": find_league(slug), "form": form, "effects": effects, "outdated": outdated}
    outcomes = Counter(line.outcome for line in effects.lines) if effects else Counter[str]()
    context |= {"entering": outcomes["enters"], "refused": outcomes["refused"]}
    return render(request, "frontend/bot_list.html", context, status=400 if form.is_bound else 200)
