"""Who asks a REST door, and whether what they show is enough: each door names the scope that it needs, or is public."""

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
"""What a door says that needs no scope, as everybody may ask it."""
KEYWORDS = ("token", "bearer")
"""What may stand before a token in the header; the second is what OAuth's clients write."""
CEILING = "scopes"
"""The word under which a session that began with a token keeps what that may: it may no more than that."""


class ByToken(BaseAuthentication):
    """Finds out who asks by a token in the header, and nowhere else."""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return who asks and their token, None without one; raises AuthenticationFailed."""
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
        """Return how a token is to be shown, for an answer that asks for one."""
        return "Token"


class InScope(BasePermission):
    """Lets in whom the door is for: everybody, or who may what it names."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Tell whether somebody is signed in where that is needed; raises PermissionDenied for a missing scope."""
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
    """Return the scope that a door needs, its method's own before its view's; raises ImproperlyConfigured."""
    method = getattr(getattr(view, "request", None), "method", None) or ""
    own = getattr(view, getattr(view, "action", None) or method.lower(), None)
    scope = getattr(own, "scope", None) or getattr(view, "scope", None)
    if scope != PUBLIC and scope not in SCOPES:
        raise ImproperlyConfigured(f"{type(view).__name__} names no scope: {', '.join(SCOPES)} or {PUBLIC}")
    return str(scope)


def needs(scope: str) -> Callable[[D], D]:
    """Say of one method of a door that it needs another scope than its view."""

    def mark(door: D) -> D:
        door.scope = scope  # type: ignore[attr-defined]  # a function may carry attributes, which its type does not say
        return door

    return mark


def signed_in(request: Request) -> User:
    """Return who asks at a door that is not public."""
    assert isinstance(request.user, User)
    return request.user


def scopes_of(request: Request) -> Collection[str]:
    """Return what whoever asks may: by a token what it says, by a session all that its person may, by neither nothing.

    A session that began with a token may what that may.
    """
    if isinstance(request.auth, Token):
        return tuple(request.auth.scopes)
    return tuple(request.session.get(CEILING, SCOPES)) if request.user.is_authenticated else ()


def check_session(request: HttpRequest, scope: str) -> None:
    """Raise PermissionDenied where the session of a page began with a token that may not do such a thing."""
    if scope not in request.session.get(CEILING, SCOPES):
        raise Forbidden(
            gettext(
                "you signed in with a token that may not %(does)s; sign in with one that has the scope"
                " %(scope)r, or with your password"
            )
            % {"does": gettext(SCOPES[scope]), "scope": scope}
        )


def reader_of(request: Request) -> int | None:
    """Return whose own things may be read: the person's number, None for who may read only what everybody may."""
    return request.user.pk if "read" in scopes_of(request) else None
