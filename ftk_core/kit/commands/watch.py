"""``ftk watch``: show a match in the browser, from a local web server."""

from __future__ import annotations

import asyncio
import html
import json
import re
import sys
import webbrowser
from collections.abc import Sequence
from functools import partial
from gettext import gettext
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import unquote

import msgspec
import typer

import ftk_core
import ftk_core.kit
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import UnknownGameError, game_of
from ftk_core.hash_chained_log import LogPage
from ftk_core.kit.client.http_client import RequestError
from ftk_core.kit.client.token_store import TokenStoreError
from ftk_core.kit.commands.login import LOCAL_SERVER, Shown
from ftk_core.kit.match_loading import read_match_pages
from ftk_core.kit.plugin_piece_drawings import CONTENT_TYPES, ENTRY_MODULE, list_piece_files, list_piece_modules
from ftk_core.kit.terminal_output import describe_os_error, fail, out
from ftk_core.kit.viewer_translations import list_viewer_languages, render_viewer_language
from ftk_core.logged_decisions import opening_of
from ftk_core.match_log_file import dump_pages
from ftk_core.match_replay_frames import MatchFrames, encode_frames
from ftk_core.views.replay_frame_messages import SpectatorFramesRequest

STATIC_PREFIX = "/static/ui/"
"""URL prefix of the viewer's built files. It must not change, because these files refer to each other by it."""
PIECES_PREFIX, WORDS_PREFIX = "/pieces/", "/words/"
"""URL prefixes of files from plug-ins: drawings of a game's pieces, and translations of the viewer's texts."""
LOG_PATH = "/api/v1/matches/log/log/"
"""URL path of the match's log, as on an arena; the page calls its match ``log``."""
SERVED_CONTENT_TYPES = {**CONTENT_TYPES, ".json": "application/json"}
"""Content types of the files that are served, by suffix; those of the system can be wrong."""
HOST = "127.0.0.1"
MAX_MESSAGE_FRAMES = 128
"""Maximum number of frames (one per event of the match) in one WebSocket message."""
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'"
)
EYES = {"public": PUBLIC, "all": OMNISCIENT}
watching = typer.Typer()


class ViewerFilesMissing(RuntimeError):
    """Raised if a part of the match viewer is missing."""


@watching.command()
def watch(
    source: Annotated[str, typer.Argument(metavar="MATCH", help="Log file, or the id of a match on the server.")],
    number: Annotated[int, typer.Option("--match", help="Number of the match, if the log has several.")] = 1,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 for a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in your browser.")] = True,
    server: Annotated[str, typer.Option(envvar="FTK_SERVER")] = LOCAL_SERVER,
    token: Shown = "",
) -> None:
    """Show a match from a file in the arena's viewer, with all hidden information; Ctrl-C ends it."""
    try:
        pages = read_match_pages(source, number, server, token)
        asyncio.run(serve_match(pages, port, partial(_announce_address, source, browser=browser)))
    except (UnknownGameError, ViewerFilesMissing, RequestError, TokenStoreError, ValueError) as error:
        fail(error)
    except OSError as error:
        fail(describe_os_error(error, source))
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def _announce_address(source: str, address: str, *, browser: bool) -> None:
    out.print(gettext("{source}: {address} - Ctrl-C ends it").format(source=source, address=address))
    sys.stdout.flush()
    if browser:
        webbrowser.open(address)


async def serve_match(pages: Sequence[LogPage], port: int, announce: Any) -> None:
    """Serve the viewer with a match until cancelled; pass the page's address to `announce`.

    Raises ViewerFilesMissing, OSError.
    """
    try:
        from websockets.asyncio.server import serve
    except ImportError as error:
        raise ViewerFilesMissing(gettext("the viewer needs the package websockets: pip install websockets")) from error
    desk = MatchViewer(pages, viewer_folder())
    async with serve(desk.serve_websocket, HOST, port, process_request=desk.answer, max_size=1024) as running:
        ((_, at, *_),) = {socket.getsockname() for socket in running.sockets}
        desk.hosts = {f"{HOST}:{at}", f"localhost:{at}"}
        announce(f"http://{HOST}:{at}/")
        await running.serve_forever()


def viewer_folder() -> Path:
    """Return the folder with the viewer's built files. Raises ViewerFilesMissing."""
    # A package downloaded from a server contains them; `make ui` builds them in a checkout.
    kit = Path(str(files(ftk_core.kit))) / "viewer"
    checkout = Path(str(files(ftk_core))).parent / "frontend" / "static" / "ui"
    for folder in (kit, checkout):
        if (folder / "manifest.json").is_file():
            return folder
    raise ViewerFilesMissing(
        gettext("this kit has no viewer: install the one that an arena hands out at /write-a-bot/, or `make ui`")
    )


class MatchViewer:
    """HTTP and WebSocket handlers of the local web server that shows one match."""

    def __init__(self, pages: Sequence[LogPage], viewer: Path) -> None:
        self.pages, self.viewer = pages, viewer
        self.lines = [line for page in pages for line in page.lines]
        self.opened = opening_of(self.lines)
        self.reels: dict[tuple[str, str], MatchFrames] = {}
        self.hosts: set[str] = set()
        """Accepted Host headers. Other hosts are refused, to prevent DNS rebinding by other websites."""

    def reel(self, eyes: str, language: str) -> MatchFrames:
        """Return the steps of the replay for one viewer, with texts in a language.

        `eyes` names the viewer: "public", "all" (sees hidden information) or a seat number as text. Raises ValueError
        for other values.
        """
        seats = {str(seat): seat for seat in range(len(self.opened.players))}
        viewer = {**EYES, **seats}.get(eyes)
        if viewer is None:
            raise ValueError(gettext("this match has no viewer {eyes}").format(eyes=repr(eyes[:20])))
        if (eyes, language) not in self.reels:
            self.reels[eyes, language] = MatchFrames(viewer, language)
            self.reels[eyes, language].extend(self.lines)
        return self.reels[eyes, language]

    async def serve_websocket(self, socket: Any) -> None:
        """Send the requested steps of the replay on a WebSocket, in a real server's format."""
        async for text in socket:
            try:
                watch_request = msgspec.json.decode(text, type=SpectatorFramesRequest)
                reel = self.reel(watch_request.eyes, watch_request.language)
            except (msgspec.MsgspecError, ValueError) as error:
                await socket.send(json.dumps({"type": "refused", "code": "unknown_eyes", "detail": str(error)}))
                continue
            span = reel.span(watch_request.after, watch_request.until)
            for start in range(0, max(1, len(span)), MAX_MESSAGE_FRAMES):
                await socket.send(
                    encode_frames(watch_request.eyes, reel, span[start : start + MAX_MESSAGE_FRAMES], whole=start == 0)
                )

    def answer(self, connection: Any, request: Any) -> Any:
        """Answer an HTTP request; return None to accept a WebSocket connection."""
        path, headers = request.path.partition("?")[0], request.headers
        if headers.get("Host") not in self.hosts:
            return connection.respond(HTTPStatus.MISDIRECTED_REQUEST, "this is for this machine alone\n")
        if headers.get("Upgrade"):
            own = {f"http://{host}" for host in self.hosts}
            return (
                None if headers.get("Origin") in own else connection.respond(HTTPStatus.FORBIDDEN, "not from there\n")
            )
        if path == "/":
            return _respond(connection, "text/html; charset=utf-8", self.page())
        if path == "/favicon.ico":
            return _respond(connection, "image/x-icon", b"")
        if path == LOG_PATH:
            return self._answer_log(connection)
        if path == f"/games/{self.opened.game}/about/":
            texts = game_of(self.opened).about(request.path.rpartition("lang=")[2])
            return _respond(connection, "application/json", msgspec.json.encode(texts))
        if file := self._find_file(path):
            return _respond(connection, SERVED_CONTENT_TYPES.get(file.suffix, "text/plain"), file.read_bytes())
        return connection.respond(HTTPStatus.NOT_FOUND, "there is no such page\n")

    def _answer_log(self, connection: Any) -> Any:
        """Answer an HTTP request with the match's log as a download."""
        response = _respond(connection, "application/x-ndjson", b"".join(dump_pages(self.pages)))
        name = re.sub(r"[^A-Za-z0-9._-]", "_", self.opened.match)
        response.headers["Content-Disposition"] = f'attachment; filename="{name}.jsonl"'
        return response

    def _find_file(self, path: str) -> Path | None:
        """Return the local file for a URL path, or None if there is no such file."""
        if path.startswith(PIECES_PREFIX):
            return list_piece_files(self.opened.game).get(unquote(path.removeprefix(PIECES_PREFIX)))
        if path.startswith(WORDS_PREFIX):
            added = list_viewer_languages().get(path.removeprefix(WORDS_PREFIX).removesuffix(".json"))
            return added.file if added else None
        file = self.viewer / path.removeprefix(STATIC_PREFIX)
        is_ours = path.startswith(STATIC_PREFIX) and file.resolve().is_relative_to(self.viewer.resolve())
        return file if is_ours and file.is_file() else None

    def page(self) -> bytes:
        """Return the HTML page that loads the viewer and shows the match."""
        built = json.loads((self.viewer / "manifest.json").read_text("utf-8"))
        entries = [built[name] for name in ("src/site.ts", "src/replay.ts")]
        styles = [style for entry in entries for style in _styles(built, entry)]
        heads = [f'<link rel="stylesheet" href="{STATIC_PREFIX}{style}">' for style in dict.fromkeys(styles)]
        heads += [f'<script type="module" src="{STATIC_PREFIX}{entry["file"]}"></script>' for entry in entries]
        if self.opened.game in list_piece_modules():
            heads.append(f'<meta name="pieces-{self.opened.game}" content="{PIECES_PREFIX}{ENTRY_MODULE}">')
        for tag, added in list_viewer_languages().items():
            heads.append(render_viewer_language(added, f"{WORDS_PREFIX}{tag}.json"))
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
    """Return the paths of the style sheets that a script of the viewer needs."""
    # `built` is Vite's manifest, and `entry` is the script's entry in it.
    below = [style for name in entry.get("imports", ()) for style in _styles(built, built[name])]
    return [*below, *entry.get("css", ())]


def _respond(connection: Any, kind: str, body: bytes) -> Any:
    response = connection.respond(HTTPStatus.OK, "")
    del response.headers["Content-Type"], response.headers["Content-Length"]
    response.headers["Content-Type"] = kind
    response.headers["Content-Length"] = str(len(body))
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.body = body
    return response
