"""Authentication and permissions of the REST API: each view names the scope that it needs, or is public."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.exceptions import PermissionDenied as Forbidden
from django.http import HttpRequest
from django.utils.translation import gettext
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from bots.models import Token
from bots.tokens import NoToken, bearer_of
from ftk_core.kit.tokens import SCOPES

D = TypeVar("D", bound=Callable[..., Any])
PUBLIC = "public"
"""Scope of a view that everybody may use."""
KEYWORDS = ("token", "bearer")
"""Accepted schemes of the Authorization header; OAuth clients send the second."""
CEILING = "scopes"
"""Session key for the scopes of the token that the session was started with; it may do no more than these."""


class ByToken(BaseAuthentication):
    """Authentication by a token in the Authorization header."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the token's owner and the token, or None without a header; raises AuthenticationFailed."""
        words = get_authorization_header(request).decode("latin-1").split(" ")
        if words[0].lower() not in KEYWORDS:
            return None
        if len(words) != 2:
            raise AuthenticationFailed(gettext("A token is shown as `Authorization: Token ftk_pat_...`."))
        try:
            token = bearer_of(words[1])
        except NoToken as error:
            raise AuthenticationFailed(str(error)) from None
        return token.owner, token

    def authenticate_header(self, _request: Request) -> str:
        """Return the value of the WWW-Authenticate header."""
        return "Token"


class InScope(BasePermission):
    """Permission for public views, and for users or tokens with the view's scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True if the request may use the view; raises PermissionDenied for a missing scope."""
        needed = scope_of(view)
        if needed == PUBLIC:
            return True
        if not request.user.is_authenticated:
            return False
        if needed not in scopes_of(request):
            raise PermissionDenied(
                gettext(
                    "This token may not %(does)s: it lacks the scope %(needed)r; make one that has it, or `ftk login`."
                )
                % {"does": gettext(SCOPES[needed]), "needed": needed}
            )
        return True


def scope_of(view: Any) -> str:
    """Return the scope that a view needs, its method's own before the view's; raises ImproperlyConfigured."""
    method = getattr(getattr(view, "request", None), "method", None) or ""
    own = getattr(view, getattr(view, "action", None) or method.lower(), None)
    scope = getattr(own, "scope", None) or getattr(view, "scope", None)
    if scope != PUBLIC and scope not in SCOPES:
        raise ImproperlyConfigured(f"{type(view).__name__} names no scope: {', '.join(SCOPES)} or {PUBLIC}")
    return str(scope)


def needs(scope: str) -> Callable[[D], D]:
    """Return a decorator for a view's method that needs another scope than its view."""

    def mark(door: D) -> D:
        door.scope = scope  # type: ignore[attr-defined]  # a function may carry attributes, which its type does not say
        return door

    return mark


def signed_in(request: Request) -> User:
    """Return the user of a request to a view that is not public."""
    assert isinstance(request.user, User)
    return request.user


def scopes_of(request: Request) -> Collection[str]:
    """Return the scopes of a request: of its token, all for a session, or none without either.

    A session that was started with a token has the scopes of that token.
    """
    if isinstance(request.auth, Token):
        return tuple(request.auth.scopes)
    return tuple(request.session.get(CEILING, SCOPES)) if request.user.is_authenticated else ()


def check_session(request: HttpRequest, scope: str) -> None:
    """Raise PermissionDenied if the session was started with a token without this scope."""
    if scope not in request.session.get(CEILING, SCOPES):
        raise Forbidden(
            gettext(
                "you signed in with a token that may not %(does)s; sign in with one that has the scope"
                " %(scope)r, or with your password"
            )
            % {"does": gettext(SCOPES[scope]), "scope": scope}
        )


def reader_of(request: Request) -> int | None:
    """Return the user whose private data may be read, as primary key, or None."""
    return request.user.pk if "read" in scopes_of(request) else None
