"""``ftk watch``: a local web server with the arena's viewer for a log on disk; it needs no server and no account."""

from __future__ import annotations

import asyncio
import html
import json
import mimetypes
import sys
import webbrowser
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

import ftk_core
import ftk_core.kit
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import UnknownGame, game_of
from ftk_core.kit.calls import Refused
from ftk_core.kit.door import fail, out
from ftk_core.kit.keeping import NotKept
from ftk_core.kit.login import NEARBY, Shown
from ftk_core.kit.sources import read_match
from ftk_core.questions import opening_of
from ftk_core.reel import Reel, Watch, message

MOUNT = "/static/ui/"
"""URL prefix of the viewer's files, which refer to each other by it."""
HOST = "127.0.0.1"
CHUNK = 128
"""Maximum number of frames in one message."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'"
)
EYES = {"public": PUBLIC, "all": OMNISCIENT}
watching = typer.Typer()


class NoViewer(RuntimeError):
    """Raised if this kit cannot show a match; the message says what is missing."""


@watching.command()
def watch(
    source: Annotated[str, typer.Argument(metavar="MATCH", help="A log, or a match's id on the server.")],
    number: Annotated[int, typer.Option("--match", help="Which match of a log of several.")] = 1,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of 127.0.0.1; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open it in your browser.")] = True,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = NEARBY,
    token: Shown = "",
) -> None:
    """Watch a match in the arena's viewer, from disk, with all eyes; Ctrl-C ends it."""
    try:
        lines = read_match(source, number, server, token)
        asyncio.run(show(lines, port, partial(_announced, source, browser=browser)))
    except (UnknownGame, NoViewer, Refused, NotKept, ValueError) as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or source}: {error.strerror or error}")
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def _announced(source: str, address: str, *, browser: bool) -> None:
    out.print(f"{source}: {address} - Ctrl-C ends it", markup=False)
    sys.stdout.flush()
    if browser:
        webbrowser.open(address)


async def show(lines: Sequence[bytes], port: int, announce: Any) -> None:
    """Serve the viewer and a match until cancelled; raises NoViewer, OSError."""
    try:
        from websockets.asyncio.server import serve
    except ImportError as error:
        raise NoViewer("a viewer is spoken to over websockets: pip install websockets") from error
    desk = Desk(lines, viewer_folder())
    async with serve(desk.attend, HOST, port, process_request=desk.answer, max_size=1024) as running:
        ((_, at, *_),) = {socket.getsockname() for socket in running.sockets}
        desk.hosts = {f"{HOST}:{at}", f"localhost:{at}"}
        announce(f"http://{HOST}:{at}/")
        await running.serve_forever()


def viewer_folder() -> Path:
    """Return the folder of the viewer: in a kit from an arena, or in a checkout after `make ui`; raises NoViewer."""
    kit = Path(str(files(ftk_core.kit))) / "viewer"
    checkout = Path(str(files(ftk_core))).parent / "frontend" / "static" / "ui"
    for folder in (kit, checkout):
        if (folder / "manifest.json").is_file():
            return folder
    raise NoViewer("this kit has no viewer: install the one that an arena hands out at /write-a-bot/, or `make ui`")


class Desk:
    """The web server's handlers for one match."""

    def __init__(self, lines: Sequence[bytes], viewer: Path) -> None:
        self.lines, self.viewer = lines, viewer
        self.opened = opening_of(lines)
        self.reels: dict[tuple[str, str], Reel] = {}
        self.hosts: set[str] = set()
        """Accepted Host headers. A page elsewhere whose name resolves to this machine (DNS rebinding) is refused."""

    def reel(self, eyes: str, language: str) -> Reel:
        """Return the frames of the match for a viewer's name; raises ValueError for an unknown one."""
        seats = {str(seat): seat for seat in range(len(self.opened.players))}
        viewer = {**EYES, **seats}.get(eyes)
        if viewer is None:
            raise ValueError(f"the match has no eyes {eyes[:20]!r}")
        if (eyes, language) not in self.reels:
            self.reels[eyes, language] = Reel(viewer, language)
            self.reels[eyes, language].extend(self.lines)
        return self.reels[eyes, language]

    async def attend(self, socket: Any) -> None:
        """Answer the viewer's requests on a websocket with the same messages as an arena."""
        async for text in socket:
            try:
                asked = msgspec.json.decode(text, type=Watch)
                reel = self.reel(asked.eyes, asked.language)
            except (msgspec.MsgspecError, ValueError) as error:
                await socket.send(json.dumps({"type": "refused", "code": "unknown_eyes", "detail": str(error)}))
                continue
            span = reel.span(asked.after, asked.until)
            for start in range(0, max(1, len(span)), CHUNK):
                await socket.send(message(asked.eyes, reel, span[start : start + CHUNK], whole=start == 0))

    def answer(self, connection: Any, request: Any) -> Any:
        """Answer an HTTP request; None accepts a websocket."""
        asked, headers = request.path.partition("?")[0], request.headers
        if headers.get("Host") not in self.hosts:
            return connection.respond(HTTPStatus.MISDIRECTED_REQUEST, "this is for this machine alone\n")
        if headers.get("Upgrade"):
            own = {f"http://{host}" for host in self.hosts}
            return (
                None if headers.get("Origin") in own else connection.respond(HTTPStatus.FORBIDDEN, "not from there\n")
            )
        if asked == "/":
            return _with(connection, "text/html; charset=utf-8", self.page())
        if asked == "/favicon.ico":
            return _with(connection, "image/x-icon", b"")
        if asked == f"/games/{self.opened.game}/about/":
            texts = game_of(self.opened).about
            language = "zh-Hant" if request.path.endswith("lang=zh-Hant") else "en"
            return _with(connection, "application/json", msgspec.json.encode(texts.get(language, {})))
        file = self.viewer / asked.removeprefix(MOUNT)
        if asked.startswith(MOUNT) and file.resolve().is_relative_to(self.viewer.resolve()) and file.is_file():
            return _with(connection, mimetypes.guess_type(file.name)[0] or "text/plain", file.read_bytes())
        return connection.respond(HTTPStatus.NOT_FOUND, "there is no such page\n")

    def page(self) -> bytes:
        """Return the HTML page."""
        built = json.loads((self.viewer / "manifest.json").read_text("utf-8"))
        entries = [built[name] for name in ("src/site.ts", "src/replay.ts")]
        styles = [style for entry in entries for style in _styles(built, entry)]
        heads = [f'<link rel="stylesheet" href="{MOUNT}{style}">' for style in dict.fromkeys(styles)]
        heads += [f'<script type="module" src="{MOUNT}{entry["file"]}"></script>' for entry in entries]
        title = html.escape(f"{game_of(self.opened).title}, {self.opened.match}")
        names = html.escape(json.dumps(self.opened.players))
        replay = f'<ftk-replay match="log" game="{self.opened.game}" names="{names}"></ftk-replay>'
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">{"".join(heads)}</head>'
            f'<body><main id="main"><div class="wrap"><h1 class="unseen">{title}</h1>'
            f"{replay}</div></main></body></html>"
        ).encode()


def _styles(built: dict[str, Any], entry: dict[str, Any]) -> list[str]:
    """Return the style sheets of an entry and of all its imports."""
    below = [style for name in entry.get("imports", ()) for style in _styles(built, built[name])]
    return [*below, *entry.get("css", ())]


def _with(connection: Any, kind: str, body: bytes) -> Any:
    response = connection.respond(HTTPStatus.OK, "")
    del response.headers["Content-Type"], response.headers["Content-Length"]
    response.headers["Content-Type"] = kind
    response.headers["Content-Length"] = str(len(body))
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.body = body
    return response
