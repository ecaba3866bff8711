"""Search page for finished matches. The URL contains the criteria, so that a search can be shared."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from bots import queries as bots_queries
from foundation.game_titles import games
from foundation.keyset_pagination import InvalidCursorError
from foundation.query_parameters import ANY_PARAMETER, TRACKING_PREFIXES, query_parameters
from foundation.response_language import LANGUAGE_PARAMETER
from replays.match_search import MatchSearchPage
from tournaments.leagues import queries as tournaments_queries
from tournaments.reports.league_match_search import LeagueMatchSearchCriteria, search

EXCUSE_CHOICES = (
    ("", _("any or none")),
    ("timeout", _("no answer in time")),
    ("crash", _("crash")),
    ("nonsense", _("nonsense")),
)
RESULT_CHOICES = (("", _("any")), ("won", _("won")), ("lost", _("not won")))
MAX_MATCH_ENTRIES = 1_000_000


class SearchForm(forms.Form):
    """Form with the criteria of a search for matches."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    bot = forms.CharField(label=_("Bot"), required=False, max_length=40)
    opponent = forms.CharField(required=False, max_length=40, label=_("against"))
    result = forms.ChoiceField(required=False, choices=RESULT_CHOICES, label=_("result of the first bot"))
    league = forms.CharField(label=_("League"), required=False, max_length=60)
    least = forms.IntegerField(required=False, min_value=0, max_value=MAX_MATCH_ENTRIES, label=_("entries, at least"))
    most = forms.IntegerField(required=False, min_value=0, max_value=MAX_MATCH_ENTRIES, label=_("entries, at most"))
    excuse = forms.ChoiceField(required=False, choices=EXCUSE_CHOICES, label=_("answers missed by"))
    after = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def __init__(self, *args: Any, bots: list[str], leagues: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)
        game.choices = [("", _("any")), *games()]
        for name, options in (("bot", "bots"), ("opponent", "bots"), ("league", "leagues")):
            self.fields[name].widget.attrs |= {"list": options, "autocomplete": "off", "autocapitalize": "none"}
        self.known = {"bots": bots, "leagues": leagues}

    def clean_bot(self) -> str:
        """Return the slug of the bot; raises ValidationError for an unknown bot."""
        return self._bot("bot")

    def clean_opponent(self) -> str:
        """Return the slug of the opponent; raises ValidationError for an unknown bot."""
        return self._bot("opponent")

    def clean_league(self) -> str:
        """Return the slug of the league; raises ValidationError for an unknown league."""
        slug = str(self.cleaned_data["league"])
        if slug and slug not in self.known["leagues"] and not tournaments_queries.league_exists(slug):
            raise forms.ValidationError(_("There is no league “%(slug)s”.") % {"slug": slug})
        return slug

    def clean(self) -> dict[str, Any]:
        """Add errors for unknown parameters and contradictory search criteria."""
        said = self.cleaned_data
        for word in self.data:
            if word not in self.fields and not _is_ignored(word):
                self.add_error(None, _("Nothing is searched for by “%(word)s”.") % {"word": word[:40]})
        least, most = said.get("least"), said.get("most")
        if least is not None and most is not None and least > most:
            self.add_error("most", _("This is less than %(least)s.") % {"least": least})
        if said.get("result") and not said.get("bot") and not self.errors.get("bot"):
            self.add_error("bot", _("Whose result? Name a bot."))
        return said

    def _bot(self, field: str) -> str:
        slug = str(self.cleaned_data[field])
        if slug and slug not in self.known["bots"] and not bots_queries.bot_exists(slug):
            raise forms.ValidationError(_("There is no bot “%(slug)s”.") % {"slug": slug})
        return slug


@query_parameters(ANY_PARAMETER)
def page(request: HttpRequest) -> HttpResponse:
    """Show the search form and the matches found."""
    # Empty parameters are removed from the URL by a redirect.
    said = {name: value for name, value in request.GET.items() if str(value).strip()}
    if len(said) < len(request.GET):
        return redirect(request.path + ("?" + _clean_query(request) if said else ""))
    form = SearchForm(request.GET, bots=bots_queries.list_slugs(), leagues=tournaments_queries.list_slugs())
    found = _search(form)
    context = {"form": form, "found": found, "asked": not all(map(_is_ignored, said))}
    return render(request, "frontend/search.html", context, status=200 if found is not None else 400)


def _is_ignored(parameter: str) -> bool:
    """Return True for the language parameter and tracking parameters, which the search ignores."""
    return parameter == LANGUAGE_PARAMETER or parameter.startswith(TRACKING_PREFIXES)


def _clean_query(request: HttpRequest) -> str:
    kept = request.GET.copy()
    for name, value in request.GET.items():
        if not str(value).strip():
            del kept[name]
    return kept.urlencode()


def _search(form: SearchForm) -> MatchSearchPage | None:
    """Return the matches that meet the criteria; None if the criteria are invalid."""
    if not form.is_valid():
        return None
    said = dict(form.cleaned_data)
    cursor = said.pop("after")
    try:
        return search(LeagueMatchSearchCriteria(**said), cursor)
    except InvalidCursorError:
        form.add_error(None, _("This is no place in the list; it begins anew without “after”."))
        return None
