"""Authentication and permissions of the REST API: each view names the token scope that it needs, or is public."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured, PermissionDenied as Forbidden
from django.http import HttpRequest
from django.utils.translation import gettext
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from bots.access.api_tokens import InvalidTokenError, authenticate_token
from bots.models import ApiToken
from ftk_core.kit.client.api_token_format import SCOPES

D = TypeVar("D", bound=Callable[..., Any])
PUBLIC = "public"
"""Value of a view's `scope` that lets everybody use the view, without a token."""
KEYWORDS = ("token", "bearer")
"""Accepted schemes of the Authorization header, in lower case; OAuth clients send ``Bearer``."""
SESSION_SCOPES_KEY = "scopes"
"""Session key of the token's scopes, if the person signed in with a token. The session is limited to these scopes."""


class HeaderTokenAuthentication(BaseAuthentication):
    """Authentication by a token in the Authorization header."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return (owner, token) from the Authorization header, or None without a token in the header.

        Raises AuthenticationFailed for an invalid token.
        """
        header_parts = get_authorization_header(request).decode("latin-1").split(" ")
        if header_parts[0].lower() not in KEYWORDS:
            return None
        if len(header_parts) != 2:
            raise AuthenticationFailed(gettext("A token is shown as `Authorization: Token ftk_pat_...`."))
        try:
            token = authenticate_token(header_parts[1])
        except InvalidTokenError as error:
            raise AuthenticationFailed(str(error)) from None
        return token.owner, token

    def authenticate_header(self, _request: Request) -> str:
        """Return the value of the WWW-Authenticate header."""
        return "Token"


class ScopePermission(BasePermission):
    """Permission that allows a request if its view is public, or if the request has the scope that the view needs."""

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
    """Return the token scope that a request to a view needs, or `PUBLIC`.

    A scope set on the requested method takes precedence over the scope of the view. Raises ImproperlyConfigured if
    neither has a scope, or if the scope is unknown.
    """
    method = getattr(getattr(view, "request", None), "method", None) or ""
    method_view = getattr(view, getattr(view, "action", None) or method.lower(), None)
    scope = getattr(method_view, "scope", None) or getattr(view, "scope", None)
    if scope != PUBLIC and scope not in SCOPES:
        raise ImproperlyConfigured(f"{type(view).__name__} names no scope: {', '.join(SCOPES)} or {PUBLIC}")
    return str(scope)


def require_scope(scope: str) -> Callable[[D], D]:
    """Return a decorator that sets the scope required by one method of a view; it overrides the view's scope."""

    def mark(view: D) -> D:
        view.scope = scope  # type: ignore[attr-defined]  # the type of functions declares no attributes
        return view

    return mark


def signed_in_user(request: Request) -> User:
    """Return the signed-in user of a request; only for views that require a scope."""
    assert isinstance(request.user, User)
    return request.user


def scopes_of(request: Request) -> Collection[str]:
    """Return the scopes that a request has; an empty tuple if nobody is signed in.

    A request with a token in its Authorization header has the token's scopes. A browser session that was started with a
    token has the scopes that the token had at the sign-in. Any other session has all scopes.
    """
    if isinstance(request.auth, ApiToken):
        return tuple(request.auth.scopes)
    return tuple(request.session.get(SESSION_SCOPES_KEY, SCOPES)) if request.user.is_authenticated else ()


def check_session(request: HttpRequest, scope: str) -> None:
    """Raise PermissionDenied if the session was started with a token that does not have `scope`."""
    if scope not in request.session.get(SESSION_SCOPES_KEY, SCOPES):
        raise Forbidden(
            gettext(
                "you signed in with a token that may not %(does)s; sign in with one that has the scope"
                " %(scope)r, or with your password"
            )
            % {"does": gettext(SCOPES[scope]), "scope": scope}
        )


def private_reader_id(request: Request) -> int | None:
    """Return the id of the user whose private data a request may read; None if it may read only public data.

    A request with the scope `read` may read the data of the signed-in user.
    """
    return request.user.pk if "read" in scopes_of(request) else None
