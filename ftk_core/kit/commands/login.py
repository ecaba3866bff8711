"""``ftk login``, ``whoami``, ``logout``: get an API token through the browser, describe it, and revoke it."""

from __future__ import annotations

import getpass
import json
import platform
import time
import webbrowser
from gettext import gettext as _
from typing import Annotated, Any

import typer

from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES, read_scopes
from ftk_core.kit.client.http_client import (
    RateLimitExceeded,
    RequestError,
    build_unexpected_answer_error,
    check_arena,
    check_server,
    check_token,
    request_json,
)
from ftk_core.kit.client.token_store import TokenStoreError, delete_token, load_token, store_token
from ftk_core.kit.terminal_output import err, fail, out

LOCAL_SERVER = "http://127.0.0.1:8000"
DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
PENDING_ERRORS = ("authorization_pending", "slow_down")
"""OAuth error codes after which polling for the token continues."""
SLOW_DOWN_SECONDS = 5
"""Seconds added to the polling interval after `slow_down` (RFC 8628, 3.5)."""
MAX_CLIENT_NAME_CHARACTERS = 60
account = typer.Typer()
Server = Annotated[str, typer.Argument(envvar="FTK_SERVER", help="Address of the arena.")]
Shown = Annotated[
    str, typer.Option(envvar="FTK_TOKEN", help="Token to use instead of the one that `ftk login` stored.")
]


@account.command()
def login(
    server: Server = LOCAL_SERVER,
    scopes: Annotated[
        str, typer.Option(help="Scopes of the token: upload, enter, play, organise, read, notify.")
    ] = ",".join(DEFAULT_SCOPES),
    browser: Annotated[bool, typer.Option(help="Open the page in a browser, if there is one.")] = True,
) -> None:
    """Get a token through the browser and store it for this server, in the keyring or a file that only you can read."""
    try:
        server = check_server(server)
        codes = _request_codes(server, read_scopes(scopes))
        _show_code(codes, browser=browser)
        with err.status(_("waiting for you to approve ...")):
            token = _await_token(server, codes)
        where = store_token(server, token)
        owner = request_json(f"{server}/api/v1/token/", token)
    except (RequestError, TokenStoreError, ValueError) as error:
        fail(error)
    out.print(
        _("ok: you are {get} at {server}; the token is kept in {where}").format(
            get=owner.get("person", "?"), server=server, where=where
        ),
    )


@account.command()
def whoami(server: Server = LOCAL_SERVER, token: Shown = "") -> None:
    """Print the owner, the scopes and the expiry date of the token."""
    try:
        server = check_server(server)
        owner = request_json(f"{server}/api/v1/token/", token_for(server, token))
        may, until = ", ".join(owner["scopes"]), owner["expires_at"]
    except (RequestError, TokenStoreError) as error:
        fail(error)
    except (KeyError, TypeError):
        fail(build_unexpected_answer_error(server))
    until = _("until {until}").format(until=until[:10]) if until else _("without an end")
    out.print(
        _("{owner} at {server}: {token_name} ({token_start}...), may {scopes}, {until}").format(
            owner=owner["person"],
            server=server,
            token_name=owner["name"],
            token_start=owner["start"],
            scopes=may,
            until=until,
        ),
    )


@account.command()
def logout(server: Server = LOCAL_SERVER) -> None:
    """Revoke the stored token of this server, and delete it."""
    try:
        server = check_server(server)
        token = load_token(server)
        delete_token(server)
    except (RequestError, TokenStoreError) as error:
        fail(error)
    if not token:
        fail(_("no token is kept for {server}").format(server=server))
    try:
        request_json(f"{server}/api/v1/token/", token, method="DELETE")
    except RequestError as error:
        fail(_("the token is forgotten here, but not revoked: {error}").format(error=error))
    out.print(_("ok: the token for {server} is revoked and forgotten").format(server=server))


def token_for(server: str, given_token: str) -> str:
    """Return the given token or, if it is empty, the stored token for a server.

    Raises TokenStoreError if stored tokens cannot be read, and RequestError if the token is missing or malformed.
    """
    token = given_token or load_token(server)
    if not token:
        check_arena(server)
        raise RequestError(
            _(
                "a token is missing: `ftk login {server}` gets one through your browser; or make one at"
                " {server}/account/ (an organiser: `manage.py token NAME`), then give it by --token or FTK_TOKEN"
            ).format(server=server)
        )
    check_token(token)
    return token


def _request_codes(server: str, scopes: tuple[str, ...]) -> dict[str, Any]:
    """Request a device code and a user code from a server (OAuth 2.0 device flow: RFC 8628, 3.2)."""
    form = {"client_id": _client_name(), "scope": " ".join(scopes)}
    codes = _post_form(f"{server}/api/v1/device/", form)
    texts = ("device_code", "user_code", "verification_uri", "verification_uri_complete")
    numbers = [codes.get("interval"), codes.get("expires_in")]
    if not all(isinstance(codes.get(key), str) for key in texts) or not all(type(number) is int for number in numbers):
        raise build_unexpected_answer_error(server)
    return codes


def _client_name() -> str:
    """Return the name under which the server lists the token: program, user and host."""
    try:
        person = f"{getpass.getuser()}@"
    except (KeyError, OSError):  # this user id has no name on this machine
        person = ""
    name = f"ftk of {person}{platform.node() or 'somewhere'}"
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:MAX_CLIENT_NAME_CHARACTERS]


def _show_code(codes: dict[str, Any], *, browser: bool) -> None:
    """Print the login code and the address of the page that approves it."""
    code, page = codes["user_code"], codes["verification_uri_complete"]
    message = _("Open {page} and check that it shows the code {first_half}-{second_half}")
    out.print(message.format(page=page, first_half=code[:4], second_half=code[4:]))
    if browser:
        webbrowser.open(page)


def _await_token(server: str, codes: dict[str, Any]) -> str:
    """Poll the server until the user has approved the login, and return the token; raises RequestError."""
    pause, form = codes["interval"], {"grant_type": DEVICE_CODE_GRANT, "device_code": codes["device_code"]}
    deadline = time.monotonic() + codes["expires_in"]
    while time.monotonic() < deadline:
        time.sleep(pause)
        try:
            return str(_post_form(f"{server}/api/v1/device/token/", form)["access_token"])
        except RateLimitExceeded as error:
            pause = max(pause, error.seconds)
        except KeyError:
            raise build_unexpected_answer_error(server) from None
        except RequestError as error:
            if error.code not in PENDING_ERRORS:
                raise RequestError(_("there is no token: {error}").format(error=error)) from error
            pause += SLOW_DOWN_SECONDS * (error.code == "slow_down")
    raise RequestError(_("there is no token: nobody approved in time; `ftk login` asks again"))


def _post_form(url: str, form: dict[str, str]) -> dict[str, Any]:
    return request_json(url, body=json.dumps(form).encode(), headers={"Content-Type": "application/json"})
