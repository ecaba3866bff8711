"""Export of a reviewed match as one HTML page that contains the viewer and makes no requests."""

from __future__ import annotations

import gzip
import html
import os
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import game_of
from ftk_core.kit.watching import NoViewer, viewer_folder
from ftk_core.questions import opening_of
from ftk_core.reel import Reel, message
from ftk_core.reviewed import Reviewed
from ftk_core.words import ENTRIES


def check_free(page: Path, *, force: bool) -> None:
    """Raise ValueError if the page cannot be written: its folder is missing, or the file exists and `force` is off."""
    if not page.parent.is_dir():
        raise ValueError(f"--html {page}: there is no folder {page.parent}; make it first")
    if page.is_dir():
        raise ValueError(f"--html {page}: this is a folder; name a file in it")
    if page.exists() and not force:
        raise ValueError(f"--html {page} is there already; choose another name, or --force to write over it")
    _built("js")  # fail before the review is computed


def write_page(page: Path, lines: Sequence[bytes], found: Reviewed) -> int:
    """Write a match and its review as one page, atomically; return its size in bytes. Raises OSError."""
    text = page_of(lines, found).encode()
    with NamedTemporaryFile("wb", dir=page.parent, prefix=".page-", delete=False) as draft:
        try:
            draft.write(text)
            draft.close()
            mask = os.umask(0)
            os.umask(mask)
            Path(draft.name).chmod(0o666 & ~mask)
            Path(draft.name).replace(page)
        except BaseException:
            Path(draft.name).unlink(missing_ok=True)
            raise
    return len(text)


def page_of(lines: Sequence[bytes], found: Reviewed) -> str:
    """Return the page: scripts, styles, the frames of every viewer, and the review. Raises NoViewer."""
    title = html.escape(f"{found.game}: {', '.join(found.players)}")
    script = _built("js").replace("</script", "<\\/script")
    style = _built("css").replace("</style", "<\\/style")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<title>{title}</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style></head>"
        f'<body><main id="main"><div class="wrap"><h1 class="unseen">{title}</h1>'
        "<noscript><p>This page is drawn by a script that it holds itself: let it run.</p></noscript></div></main>"
        f'<script type="text/plain" id="kept">{_packed(_kept(lines, found))}</script>'
        f"<script>{script}</script></body></html>\n"
    )


def _kept(lines: Sequence[bytes], found: Reviewed) -> dict[str, object]:
    """Return the data that the page reads instead of calling a server; `frontend/ui/src/alone.ts` reads it."""
    opened = opening_of(lines)
    viewers = {"public": PUBLIC, "all": OMNISCIENT, **{str(seat): seat for seat in range(len(opened.players))}}
    frames: dict[str, dict[str, object]] = {}
    for eyes, viewer in viewers.items():
        frames[eyes] = {}
        for language in ENTRIES:
            reel = Reel(viewer, language)
            reel.extend(lines)
            frames[eyes][language] = msgspec.Raw(message(eyes, reel, reel.span(-1), whole=True).encode())
    steps = len(found.choices)
    review = {"status": "done", "done": steps, "total": steps, "reason": "", "review": found}
    return {
        "game": opened.game,
        "names": opened.players,
        "head": found.seal,
        "frames": frames,
        "about": {language: game_of(opened).about.get(language, {}) for language in ENTRIES},
        "review": review,
    }


def _packed(kept: object) -> str:
    """Return a document as base64 of gzip JSON; equal documents give equal text."""
    return b64encode(gzip.compress(msgspec.json.encode(kept), mtime=0)).decode()


def _built(kind: str) -> str:
    """Return the viewer's single-file script or style sheet; raises NoViewer if the kit was built without it."""
    file = viewer_folder() / "alone" / f"alone.{kind}"
    if not file.is_file():
        raise NoViewer("this kit's viewer cannot stand by itself: install the one of today, or `make ui`")
    return file.read_text("utf-8")


def _hash(text: str) -> str:
    """Return the Content-Security-Policy source expression of an inline text."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
