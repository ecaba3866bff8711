"""Page of the comments on a league or match."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, ObjectDoesNotExist
from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from bots.api.token_scope_permissions import check_session
from foundation.message_translation import with_full_stop
from foundation.query_parameters import query_parameters
from foundation.ratelimits.limits import rate_limited, request_subject
from frontend.pages.http_error_conversion import handle_missing
from ftk_core.league.league_state import CommandRejected
from tournaments.comments.queries import read_thread
from tournaments.comments.services import CommentsDisabledError, add_comment, record_report, remove_comment

ID = re.compile(r"\d{1,18}", re.ASCII)


@query_parameters("match", "after")
@rate_limited("comment", by=request_subject)
@handle_missing
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the comments on a league or match; a POST adds, deletes or reports one."""
    person = request.user if isinstance(request.user, User) else None
    match_id = request.GET.get("match", "")[:32]
    if match_id and not slug_re.fullmatch(match_id):
        raise Http404(gettext("there is no such match"))
    if request.method == "POST":
        return _execute(request, person, slug, match_id)
    return _render_thread(request, person, slug, match_id)


def _render_thread(request: HttpRequest, person: User | None, slug: str, match_id: str) -> HttpResponse:
    """Return the page of the comments. If a POST was refused, the form shows the submitted texts again."""
    thread = read_thread(slug, match_id, person, request.GET.get("after", ""))
    if not thread.on:
        raise Http404(with_full_stop(gettext("%(league)s takes no comments") % {"league": thread.name}))
    context = {"league": thread, "thread": thread, "person": person, "draft": request.POST}
    return render(request, "frontend/comments.html", context, status=400 if request.method == "POST" else 200)


def _execute(request: HttpRequest, person: User | None, slug: str, match_id: str) -> HttpResponse:
    """Write, delete or report a comment, and redirect to the league or match."""
    stands_on = reverse("match", args=[match_id]) if match_id else reverse("league", args=[slug])
    if person is None:
        return redirect_to_login(stands_on)
    check_session(request, "enter")
    try:
        messages.success(request, _execute_form(request, person, slug, match_id))
    except ObjectDoesNotExist:
        messages.error(request, gettext("There is no such comment; perhaps it was deleted or hidden."))
    except CommentsDisabledError as error:
        raise Http404(with_full_stop(error)) from None
    except CommandRejected as error:
        messages.error(request, with_full_stop(error))
        return _render_thread(request, person, slug, match_id)
    return redirect(stands_on)


def _execute_form(request: HttpRequest, person: User, slug: str, match_id: str) -> str:
    """Write, delete or report a comment, as the submitted form says; return a sentence that confirms it."""
    if "remove" in request.POST:
        remove_comment(person, slug, _read_id(request.POST["remove"]))
        return gettext("Your comment is deleted.")
    if "report" in request.POST:
        record_report(person, slug, _read_id(request.POST["report"]), request.POST.get("why", ""))
        return gettext("The comment is reported to the organisers.")
    if add_comment(person, slug, match_id, request.POST.get("text", "")).status == "waiting":
        return gettext("Your comment is shown when an organiser has approved it.")
    return gettext("Your comment is shown.")


def _read_id(text: str) -> int:
    if not ID.fullmatch(text):
        raise BadRequest(gettext("Send the number of a comment (got %(text)r).") % {"text": text[:20]})
    return int(text)
