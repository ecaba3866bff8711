"""Authentication with API tokens, and permissions by token scope."""

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
        """Authenticate a request by its Authorization header. Raises AuthenticationFailed for an invalid token."""
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
    """Permission that checks the token scope required by a view. Public views require none."""

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
    """Return the token scope that a request needs. Raises ImproperlyConfigured if the view names no valid scope."""
    method = getattr(getattr(view, "request", None), "method", None) or ""
    method_view = getattr(view, getattr(view, "action", None) or method.lower(), None)
    scope = getattr(method_view, "scope", None) or getattr(view, "scope", None)
    if scope != PUBLIC and scope not in SCOPES:
        raise ImproperlyConfigured(f"{type(view).__name__} names no scope: {', '.join(SCOPES)} or {PUBLIC}")
    return str(scope)


def require_scope(scope: str) -> Callable[[D], D]:
    """Return a decorator that sets the token scope required by one method of a view."""

    def mark(view: D) -> D:
        view.scope = scope  # type: ignore[attr-defined]  # the type of functions declares no attributes
        return view

    return mark


def signed_in_user(request: Request) -> User:
    """Return the signed-in user of a request; only for views that require a scope."""
    assert isinstance(request.user, User)
    return request.user


def scopes_of(request: Request) -> Collection[str]:
    """Return the scopes of a request's token or session; empty for visitors."""
    # A session that was started with a token keeps the scopes which the token had at the sign-in. A session that was
    # started without a token has all scopes.
    if isinstance(request.auth, ApiToken):
        return tuple(request.auth.scopes)
    return tuple(request.session.get(SESSION_SCOPES_KEY, SCOPES)) if request.user.is_authenticated else ()


def check_session(request: HttpRequest, scope: str) -> None:
    """Raise PermissionDenied if the request's session lacks the token scope `scope`."""
    # Only a session that was started with a token can lack a scope.
    if scope not in request.session.get(SESSION_SCOPES_KEY, SCOPES):
        raise Forbidden(
            gettext(
                "you signed in with a token that may not %(does)s; sign in with one that has the scope"
                " %(scope)r, or with your password"
            )
            % {"does": gettext(SCOPES[scope]), "scope": scope}
        )


def private_reader_id(request: Request) -> int | None:
    """Return the signed-in user's id if the request may read their private data (scope ``read``), else None."""
    return request.user.pk if "read" in scopes_of(request) else None
