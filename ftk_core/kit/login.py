"""``ftk login``, ``whoami``, ``logout``: get a token through the browser, show it, and revoke it."""

from __future__ import annotations

import getpass
import json
import platform
import time
import webbrowser
from typing import Annotated, Any

import typer

from ftk_core.kit.calls import REMEDY, Refused, TooMany, call, check_server, check_token
from ftk_core.kit.door import err, fail, out
from ftk_core.kit.keeping import NotKept, forget, keep, kept_for
from ftk_core.kit.tokens import AUTHORS, read_scopes

NEARBY = "http://127.0.0.1:8000"
GRANT = "urn:ietf:params:oauth:grant-type:device_code"
GO_ON = ("authorization_pending", "slow_down")
"""OAuth errors after which the program keeps polling."""
SLOWER = 5
"""Seconds added to the polling interval after `slow_down` (RFC 8628, 3.5)."""
LONGEST_CLIENT = 60
account = typer.Typer()
Server = Annotated[str, typer.Argument(envvar="FTK_SERVER", help="The arena's address.")]
Shown = Annotated[str, typer.Option(envvar="FTK_TOKEN", help="Another token than the one that login keeps.")]


@account.command()
def login(
    server: Server = NEARBY,
    scopes: Annotated[str, typer.Option(help="What the token may, of upload, enter, play, organise, read.")] = ",".join(
        AUTHORS
    ),
    browser: Annotated[bool, typer.Option(help="Open the page here, if a browser can be found.")] = True,
) -> None:
    """Get a token through the browser and keep it for this server, in the keyring or a file that only you can read."""
    try:
        server = check_server(server)
        codes = _asked(server, read_scopes(scopes))
        _shown(codes, browser=browser)
        with err.status("waiting for you to approve ..."):
            token = _waited_for(server, codes)
        where = keep(server, token)
        who = call(f"{server}/api/v1/token/", token)
    except (Refused, NotKept, ValueError) as error:
        fail(error)
    out.print(f"ok: you are {who.get('person', '?')} at {server}; the token is kept in {where}", markup=False)


@account.command()
def whoami(server: Server = NEARBY, token: Shown = "") -> None:
    """Say whose token this is, what it may, and until when."""
    try:
        server = check_server(server)
        who = call(f"{server}/api/v1/token/", token_for(server, token))
        may, until = ", ".join(who["scopes"]), who["expires_at"]
    except (Refused, NotKept) as error:
        fail(error)
    except (KeyError, TypeError):
        fail(f"{server} answers, but not as an arena does; {REMEDY}")
    until = f"until {until[:10]}" if until else "without an end"
    out.print(f"{who['person']} at {server}: {who['name']} ({who['start']}...), may {may}, {until}", markup=False)


@account.command()
def logout(server: Server = NEARBY) -> None:
    """Revoke the token that login keeps for this server, and forget it."""
    try:
        server = check_server(server)
        token = kept_for(server)
        forget(server)
    except (Refused, NotKept) as error:
        fail(error)
    if not token:
        fail(f"no token is kept for {server}")
    try:
        call(f"{server}/api/v1/token/", token, method="DELETE")
    except Refused as error:
        fail(f"the token is forgotten here, but not revoked: {error}")
    out.print(f"ok: the token for {server} is revoked and forgotten", markup=False)


def token_for(server: str, given: str) -> str:
    """Return the token for a server: the given one, or else the stored one; raises Refused, NotKept."""
    token = given or kept_for(server)
    if not token:
        raise Refused(
            f"a token is missing: `ftk login {server}` gets one through your browser; or make one at {server}/account/"
            " (an organiser: `manage.py token NAME`), then give it by --token or FTK_TOKEN"
        )
    check_token(token)
    return token


def _asked(server: str, scopes: tuple[str, ...]) -> dict[str, Any]:
    """Request a device code and a user code; raises Refused."""
    words = {"client_id": _own_name(), "scope": " ".join(scopes)}
    codes = _post(f"{server}/api/v1/device/", words)
    texts = ("device_code", "user_code", "verification_uri", "verification_uri_complete")
    numbers = [codes.get("interval"), codes.get("expires_in")]
    if not all(isinstance(codes.get(key), str) for key in texts) or not all(type(number) is int for number in numbers):
        raise Refused(f"{server} answers, but not as an arena does; {REMEDY}")
    return codes


def _own_name() -> str:
    """Return the client name under which the token is listed: program, user and host."""
    try:
        person = f"{getpass.getuser()}@"
    except (KeyError, OSError):  # this user id has no name on this machine
        person = ""
    name = f"ftk of {person}{platform.node() or 'somewhere'}"
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:LONGEST_CLIENT]


def _shown(codes: dict[str, Any], *, browser: bool) -> None:
    """Show the address and the code, and open the page in a browser if possible."""
    code, page = codes["user_code"], codes["verification_uri"]
    out.print(f"Open {page} and type {code[:4]}-{code[4:]}", markup=False)
    if browser:
        webbrowser.open(codes["verification_uri_complete"])


def _waited_for(server: str, codes: dict[str, Any]) -> str:
    """Poll until the person has approved, and return the token; raises Refused."""
    pause, words = codes["interval"], {"grant_type": GRANT, "device_code": codes["device_code"]}
    deadline = time.monotonic() + codes["expires_in"]
    while time.monotonic() < deadline:
        time.sleep(pause)
        try:
            return str(_post(f"{server}/api/v1/device/token/", words)["access_token"])
        except TooMany as error:
            pause = max(pause, error.seconds)
        except KeyError:
            raise Refused(f"{server} answers, but not as an arena does; {REMEDY}") from None
        except Refused as error:
            if error.code not in GO_ON:
                raise Refused(f"there is no token: {error}") from error
            pause += SLOWER * (error.code == "slow_down")
    raise Refused("there is no token: nobody approved in time; `ftk login` asks again")


def _post(url: str, words: dict[str, str]) -> dict[str, Any]:
    return call(url, body=json.dumps(words).encode(), headers={"Content-Type": "application/json"})
