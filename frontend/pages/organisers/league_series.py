"""Pages of league series. A bot gets points for its final rank in each league of a series."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from bots.api.token_scope_permissions import check_session
from foundation.game_titles import games
from foundation.message_translation import with_full_stop
from frontend.pages.http_error_conversion import handle_missing, redirect_to_sign_in
from ftk_core.league.league_state import CommandRejected
from people.person_roles import is_organiser
from tournaments.league_limits import MAX_NAME_CHARACTERS, MAX_SLUG_CHARACTERS
from tournaments.league_series.queries import list_series, read_series
from tournaments.league_series.services import MAX_DROPS, LeagueSeriesSettings, add_league, open_series, remove_league
from tournaments.organisers.organiser_permission_checks import MissingRightError


class PointsByRankField(forms.CharField):
    """Form field for the points of each final rank, such as ``10 6 4``."""

    def clean(self, value: Any) -> tuple[int, ...]:
        """Return the numbers in a text; raises ValidationError if a word is not a number."""
        words = super().clean(value).replace(",", " ").split()
        if not all(word.isascii() and word.isdecimal() and len(word) < 6 for word in words):
            raise forms.ValidationError(_("Write whole numbers with spaces between them, such as 10 6 4."))
        return tuple(map(int, words))


class LeagueSeriesForm(forms.Form):
    """Form for a new series."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_CHARACTERS)
    slug = forms.SlugField(
        max_length=MAX_SLUG_CHARACTERS, required=False, label=_("In its address"), help_text=_("empty: its name")
    )
    game = forms.ChoiceField(choices=games, label=_("Game"))
    drops = forms.IntegerField(
        min_value=0,
        max_value=MAX_DROPS,
        initial=0,
        label=_("Dropped leagues"),
        help_text=_("how many of its worst leagues do not count for a bot"),
    )
    points = PointsByRankField(
        required=False,
        label=_("Points by place"),
        help_text=_("such as 10 6 4; empty: 100 for the first, 0 for the last"),
    )


@never_cache
def list_page(request: HttpRequest) -> HttpResponse:
    """Show all series; a POST by an organiser opens a new series."""
    if request.method != "POST":
        return _render_list(request, LeagueSeriesForm() if is_organiser(request.user) else None)
    if not isinstance(request.user, User):
        return redirect_to_sign_in(request)
    if not is_organiser(request.user):
        raise PermissionDenied(_("only organisers open series"))
    check_session(request, "organise")
    form = LeagueSeriesForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            slug = given.pop("slug") or slugify(given["name"])[:MAX_SLUG_CHARACTERS]
            return redirect("series", open_series(request.user, LeagueSeriesSettings(slug=slug, **given)).slug)
        except CommandRejected as error:
            form.add_error(None, with_full_stop(error))
    return _render_list(request, form)


def _render_list(request: HttpRequest, form: LeagueSeriesForm | None) -> HttpResponse:
    context = {"series": list_series(), "form": form}
    return render(request, "frontend/series_list.html", context, status=400 if form and form.errors else 200)


@never_cache
@handle_missing
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a series of leagues; a POST adds or removes a league."""
    error = ""
    if request.method == "POST":
        if not isinstance(request.user, User):
            return redirect_to_sign_in(request)
        check_session(request, "organise")
        try:
            _change(request.user, slug, request.POST.get("add", ""), request.POST.get("remove", ""))
            return redirect("series", slug)
        except MissingRightError as missing:
            raise PermissionDenied(str(missing)) from None
        except CommandRejected as rejected:
            error = with_full_stop(rejected)
    shown = read_series(slug, request.user)
    return render(request, "frontend/series.html", {"series": shown, "error": error}, status=400 if error else 200)


def _change(person: User, slug: str, added: str, removed: str) -> None:
    if removed:
        remove_league(person, slug, removed)
    else:
        add_league(person, slug, added)
