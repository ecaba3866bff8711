"""Staff pages at `/staff/`. Every act calls a service with a reason; the sign-in is the site's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext
from unfold.decorators import action
from unfold.forms import ActionForm
from unfold.sites import UnfoldAdminSite
from unfold.widgets import UnfoldAdminTextInputWidget

from bots.admin import BotRows, QuotaRows, VersionRows
from bots.quotas import MOST_OF, BadQuota, read_quota, set_quota
from bots.retiring import CannotRetire, retire
from bots.scopes import check_session
from foundation.words import ANYTHING, asks
from people.acts_of_staff import NotStaff, Staff, note, staff_of
from people.admin import PersonRows, StaffActRows
from people.bans import CannotBan
from people.roles import HasNoRole, dismiss_organiser, make_organiser
from replays.admin import AuditRows, FailedWorkRows, MatchRows
from tournaments import banning
from tournaments.admin import EntrantRows, LeagueRows, ProposalRows, RefusalRows

View = Callable[..., HttpResponse]
POLICY = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}
"""Additions to the Content-Security-Policy: unfold's Alpine evaluates attributes, and its pages have inline colours."""


class StaffSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold ships no types
    """Django's admin behind our own sign-in; for everybody else it answers 404."""

    site_title = site_header = "The Court: staff"
    index_title = "Staff"
    final_catch_all_view = False

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Wrap a view: visitors are sent to the sign-in, and people who are not staff get 404."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not self.has_permission(request):
                raise Http404(gettext("nothing is here"))
            check_session(request, "organise")
            answer: HttpResponse = inner(request, *args, **kwargs)
            answer._csp_replace = POLICY  # type: ignore[attr-defined]  # django-csp's own word
            return answer

        return opened

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the URLs, with those for accounts redirected to the site's own."""
        own = {"login": "account_login", "logout": "account_logout", "password_change": "account_change_password"}
        there = [path(f"{name}/", _elsewhere(target), name=name) for name, target in own.items()]
        usual = [entry for entry in super().get_urls() if getattr(entry, "name", "") not in own]
        entries = [*there, *usual]
        for entry in _leaves(entries):
            asks(ANYTHING)(entry.callback)  # Django's lists validate their parameters themselves
        return entries


def _leaves(entries: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for entry in entries:
        if isinstance(entry, URLPattern):
            yield entry
        else:
            yield from _leaves(entry.url_patterns)


def _elsewhere(name: str) -> View:
    return lambda _request: redirect(reverse(name))


def _field(words: str) -> forms.CharField:
    """Return a field next to the actions; the action validates it."""
    return forms.CharField(
        label="", required=False, widget=UnfoldAdminTextInputWidget(attrs={"placeholder": words, "aria-label": words})
    )


class ReasonForm(ActionForm):  # type: ignore[misc]  # unfold ships no types
    """Form of an act on some rows, with a reason."""

    why = _field("Why")


class QuotaForm(ReasonForm):
    """Form of quotas with a reason; an empty quota follows the settings."""

    uploads = _field("Uploads a day")
    disk = _field("Bytes")
    trials = _field("Trials that wait")
    challenges = _field("Matches of challenges a day")


def _each(request: HttpRequest, rows: QuerySet[Any], deed: Callable[[Staff, Any], Any], done: str) -> None:
    """Apply an act to each row separately, and report success or the reason of failure for each."""
    for row in rows:
        try:
            assert isinstance(request.user, User)
            deed(staff_of(request.user, request.POST.get("why", "")), row)
        except (BadQuota, CannotBan, CannotRetire, HasNoRole, NotStaff) as error:
            messages.error(request, f"{row}: {error}")
        else:
            messages.success(request, f"{row} {done}")


class People(PersonRows):
    """Accounts with acts of staff."""

    action_form = QuotaForm
    actions = ("ban", "lift", "give_quota", "appoint", "dismiss")

    @action(description="Ban")
    def ban(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Ban authors with all their bots."""
        _each(request, rows, lambda staff, row: banning.ban_author(staff, row.get_username()), "is banned")

    @action(description="Lift the ban")
    def lift(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Lift the ban of authors."""
        _each(request, rows, lambda staff, row: banning.lift_author(staff, row.get_username()), "may play again")

    @action(description="Set quotas")
    def give_quota(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Set quotas of authors."""
        _each(request, rows, lambda staff, row: _give_quota(staff, row, request), "has these quotas now")

    @action(description="Make organiser")
    def appoint(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Make authors organisers."""
        _each(request, rows, _appoint, "is an organiser")

    @action(description="Organiser no more")
    def dismiss(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Revoke the organiser role; roles within leagues are revoked by their organisers."""
        _each(request, rows, _dismiss, "is no organiser any more")


def _give_quota(staff: Staff, person: User, request: HttpRequest) -> None:
    set_quota(staff, person, {name: read_quota(name, request.POST.get(name, "")) for name in MOST_OF})


@transaction.atomic
def _appoint(staff: Staff, person: User) -> None:
    make_organiser(person)
    note(staff, "appoint", "an organiser", person)


@transaction.atomic
def _dismiss(staff: Staff, person: User) -> None:
    dismiss_organiser(person)
    note(staff, "dismiss", "no organiser any more", person)


class Bots(BotRows):
    """Bots with acts of staff."""

    action_form = ReasonForm
    actions = ("ban", "lift")

    @action(description="Ban")
    def ban(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        """Ban bots."""
        _each(request, rows, lambda staff, row: banning.ban_bot(staff, row.slug), "is banned")

    @action(description="Lift the ban")
    def lift(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        """Lift the ban of bots."""
        _each(request, rows, lambda staff, row: banning.lift_bot(staff, row.slug), "may play again")


class Versions(VersionRows):
    """Versions with acts of staff."""

    action_form = ReasonForm
    actions = ("retire",)

    @action(description="Retire")
    def retire(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        """Retire versions: they can no longer enter a league."""
        _each(request, rows, lambda staff, row: retire(staff, row.pk), "is retired")


SITE = StaffSite()
SHOWN = (
    *(People, StaffActRows, Bots, Versions, QuotaRows, LeagueRows, EntrantRows),
    *(MatchRows, AuditRows, FailedWorkRows, ProposalRows, RefusalRows),
)
for rows in SHOWN:
    SITE.register(rows.model_shown, rows)
