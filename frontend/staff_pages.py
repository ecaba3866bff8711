"""Django admin at `/staff/`, for staff who are signed in to the site."""
# Each action of staff needs a reason and calls a service.

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

from bots.admin import BotAdmin, BotVersionAdmin, QuotaAdmin
from bots.api.token_scope_permissions import check_session
from bots.author_quotas import MAX_QUOTAS, InvalidQuotaError, read_quota, set_quota
from bots.versions.retirement import RetirementError, retire_version
from foundation.branding.arena_brand import read_brand
from foundation.query_parameters import ANY_PARAMETER, query_parameters
from frontend.brand_admin import BrandAdmin
from people.admin import PersonAdmin, StaffAuditTrailAdmin
from people.person_bans import BanChangeRefusedError
from people.person_roles import RoleMissing, dismiss_organiser, make_organiser
from people.staff_audit_trail import ActingStaffMember, InvalidStaffActionError, record_staff_act, require_staff
from replays.admin import FailedWorkAdmin, MatchAdmin, MatchAuditAdmin
from tournaments.admin import EntrantAdmin, LeagueAdmin, ProposedOrganiserActionAdmin, RefusedOrganiserActionAdmin
from tournaments.organisers import author_and_bot_bans

View = Callable[..., HttpResponse]
REFUSALS = (InvalidQuotaError, BanChangeRefusedError, RetirementError, RoleMissing, InvalidStaffActionError)
STAFF_CSP = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}
"""Content-Security-Policy directives of staff pages: the theme unfold evaluates HTML attributes and uses inline
styles."""


class StaffSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold ships no types
    """Admin site that uses the sign-in of the site; people who are not staff get 404."""

    index_title = "Staff"
    final_catch_all_view = False

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Return `view`, restricted to staff."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not self.has_permission(request):
                raise Http404(gettext("nothing is here"))
            check_session(request, "organise")
            answer: HttpResponse = inner(request, *args, **kwargs)
            answer._csp_replace = STAFF_CSP  # type: ignore[attr-defined]  # django-csp reads this attribute
            return answer

        return wrapped

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the context of each page of the admin site, with the name of the site."""
        title = f"{read_brand().name}: staff"
        context: dict[str, Any] = super().each_context(request)
        return context | {"site_title": title, "site_header": title}

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the URLs of the admin site."""
        # Those for sign-in, sign-out and passwords redirect to the usual pages.
        own = {"login": "account_login", "logout": "account_logout", "password_change": "account_change_password"}
        there = [path(f"{name}/", _redirect_to(target), name=name) for name, target in own.items()]
        usual = [entry for entry in super().get_urls() if getattr(entry, "name", "") not in own]
        entries = [*there, *usual]
        for entry in _list_patterns(entries):
            query_parameters(ANY_PARAMETER)(entry.callback)  # Django's lists validate their parameters themselves
        return entries


def _list_patterns(entries: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for entry in entries:
        if isinstance(entry, URLPattern):
            yield entry
        else:
            yield from _list_patterns(entry.url_patterns)


def _redirect_to(name: str) -> View:
    return lambda _request: redirect(reverse(name))


def _make_field(label: str) -> forms.CharField:
    """Return an optional text field for the form of a staff action."""
    # The action, not the form, validates the value.
    return forms.CharField(
        label="", required=False, widget=UnfoldAdminTextInputWidget(attrs={"placeholder": label, "aria-label": label})
    )


class ActionReasonForm(ActionForm):  # type: ignore[misc]  # unfold ships no types
    """Form for an action of staff on selected rows; it asks for the reason."""

    why = _make_field("Why")


class QuotaForm(ActionReasonForm):
    """Form for the quotas of selected authors, with a reason; an empty quota means the default."""

    uploads = _make_field("Uploads a day")
    disk = _make_field("Bytes")
    trials = _make_field("Trials that wait")
    challenges = _make_field("Matches of challenges a day")
    reviews = _make_field("Reviews a day")


def _apply_to_each(
    request: HttpRequest, rows: QuerySet[Any], act: Callable[[ActingStaffMember, Any], Any], message: str
) -> None:
    """Execute a staff action for each selected row, and show a message for each."""
    # An error in one row does not stop the others.
    for row in rows:
        try:
            assert isinstance(request.user, User)
            act(require_staff(request.user, request.POST.get("why", "")), row)
        except REFUSALS as error:
            messages.error(request, f"{row}: {error}")
        else:
            messages.success(request, f"{row} {message}")


class PersonAdminWithStaffActions(PersonAdmin):
    """Admin page of accounts, with bans, quotas and the organiser role."""

    action_form = QuotaForm
    actions = ("ban", "lift", "give_quota", "appoint", "dismiss")

    @action(description="Ban")
    def ban(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Ban the selected authors and all their bots."""
        _apply_to_each(
            request, rows, lambda staff, row: author_and_bot_bans.ban_author(staff, row.get_username()), "is banned"
        )

    @action(description="Lift the ban")
    def lift(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Lift the bans of the selected authors."""
        _apply_to_each(
            request,
            rows,
            lambda staff, row: author_and_bot_bans.lift_author(staff, row.get_username()),
            "may play again",
        )

    @action(description="Set quotas")
    def give_quota(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Set the quotas of the selected authors."""
        _apply_to_each(request, rows, lambda staff, row: _set_quota_of(staff, row, request), "has these quotas now")

    @action(description="Make organiser")
    def appoint(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Give the selected authors the organiser role, with which they can announce leagues."""
        _apply_to_each(request, rows, _make_organiser, "is an organiser")

    @action(description="Organiser no more")
    def dismiss(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Take the organiser role from the selected authors; they keep their roles in single leagues."""
        _apply_to_each(request, rows, _remove_organiser, "is no organiser any more")


def _set_quota_of(staff: ActingStaffMember, person: User, request: HttpRequest) -> None:
    set_quota(staff, person, {name: read_quota(name, request.POST.get(name, "")) for name in MAX_QUOTAS})


@transaction.atomic
def _make_organiser(staff: ActingStaffMember, person: User) -> None:
    make_organiser(person)
    record_staff_act(staff, "appoint", "an organiser", person)


@transaction.atomic
def _remove_organiser(staff: ActingStaffMember, person: User) -> None:
    dismiss_organiser(person)
    record_staff_act(staff, "dismiss", "no organiser any more", person)


class BotAdminWithBanActions(BotAdmin):
    """Admin page of bots, with actions to ban bots."""

    action_form = ActionReasonForm
    actions = ("ban", "lift")

    @action(description="Ban")
    def ban(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        """Ban the selected bots."""
        _apply_to_each(request, rows, lambda staff, row: author_and_bot_bans.ban_bot(staff, row.slug), "is banned")

    @action(description="Lift the ban")
    def lift(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        """Lift the bans of the selected bots."""
        _apply_to_each(
            request, rows, lambda staff, row: author_and_bot_bans.lift_bot(staff, row.slug), "may play again"
        )


class BotVersionAdminWithStaffActions(BotVersionAdmin):
    """Admin page of bot versions, with an action to retire them."""

    action_form = ActionReasonForm
    actions = ("retire",)

    @action(description="Retire")
    def retire(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        """Retire the selected versions, which then cannot enter leagues any more."""
        _apply_to_each(request, rows, lambda staff, row: retire_version(staff, row.pk), "is retired")


STAFF_SITE = StaffSite()
SHOWN_MODELS = (
    *(
        PersonAdminWithStaffActions,
        StaffAuditTrailAdmin,
        BotAdminWithBanActions,
        BotVersionAdminWithStaffActions,
        QuotaAdmin,
        LeagueAdmin,
        EntrantAdmin,
    ),
    *(
        MatchAdmin,
        MatchAuditAdmin,
        FailedWorkAdmin,
        ProposedOrganiserActionAdmin,
        RefusedOrganiserActionAdmin,
        BrandAdmin,
    ),
)
for rows in SHOWN_MODELS:
    STAFF_SITE.register(rows.model_shown, rows)
