"""Export of a reviewed match as one HTML page that contains the viewer and makes no requests."""

from __future__ import annotations

import gzip
import html
import os
from base64 import b64encode
from collections.abc import Sequence
from gettext import gettext as _
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from ftk_core.analysis.match_review_document import MatchReviewDocument
from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.games import game_of
from ftk_core.i18n import list_languages
from ftk_core.kit.commands.watch import ViewerFilesMissing, viewer_folder
from ftk_core.kit.viewer_translations import ViewerTranslation, list_viewer_languages
from ftk_core.logged_decisions import opening_of
from ftk_core.match_replay_frames import MatchFrames, encode_frames


def check_writable(page: Path, *, force: bool) -> None:
    """Raise ValueError if no HTML page can be written to this path.

    An existing file is an error unless `force` is set. Raises ViewerFilesMissing if the match viewer is not built.
    """
    if not page.parent.is_dir():
        raise ValueError(
            _("--html {page}: there is no folder {parent}; make it first").format(page=page, parent=page.parent)
        )
    if page.is_dir():
        raise ValueError(_("--html {page}: this is a folder; name a file in it").format(page=page))
    if page.exists() and not force:
        raise ValueError(
            _("--html {page} is there already; choose another name, or --force to write over it").format(page=page)
        )
    _read_viewer_file("js")  # fail before the review is computed


def write_page(page: Path, lines: Sequence[bytes], document: MatchReviewDocument) -> int:
    """Write a match and its review as an HTML page; return its size in bytes.

    Raises ViewerFilesMissing, OSError. After an error, the old page is unchanged.
    """
    text = render_page(lines, document).encode()
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


def render_page(lines: Sequence[bytes], document: MatchReviewDocument) -> str:
    """Build an HTML page with script, style, match and review. Raises ViewerFilesMissing."""
    title = html.escape(f"{document.game}: {', '.join(document.players)}")
    script = _read_viewer_file("js").replace("</script", "<\\/script")
    style = _read_viewer_file("css").replace("</style", "<\\/style")
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
        f'<script type="text/plain" id="kept">{_compress(_page_data(lines, document))}</script>'
        f"<script>{script}</script></body></html>\n"
    )


def _page_data(lines: Sequence[bytes], document: MatchReviewDocument) -> dict[str, object]:
    """Return the data of a match for the HTML page, as a dict for JSON."""
    # On a website, the viewer requests these data; in the page, `frontend/ui/src/alone.ts` passes them to the viewer.
    opened = opening_of(lines)
    viewers = {"public": PUBLIC, "all": OMNISCIENT, **{str(seat): seat for seat in range(len(opened.players))}}
    frames: dict[str, dict[str, object]] = {}
    for eyes, viewer in viewers.items():
        frames[eyes] = {}
        for language in list_languages():
            reel = MatchFrames(viewer, language)
            reel.extend(lines)
            frames[eyes][language] = msgspec.Raw(encode_frames(eyes, reel, reel.span(-1), whole=True).encode())
    steps = len(document.choices)
    review = {"status": "done", "done": steps, "total": steps, "reason": "", "review": document}
    return {
        "game": opened.game,
        "names": opened.players,
        "head": document.seal,
        "frames": frames,
        "about": {language: game_of(opened).about(language) for language in list_languages()},
        "review": review,
        "languages": [_describe_language(added) for added in list_viewer_languages().values()],
    }


def _describe_language(added: ViewerTranslation) -> dict[str, object]:
    """Return the names and texts of a plug-in's language for the viewer."""
    language = added.language
    return {
        "tag": language.tag,
        "name": language.name,
        "short": language.short,
        "locales": language.locales,
        "words": msgspec.Raw(added.file.read_bytes() if added.file else b"{}"),
    }


def _compress(page_data: object) -> str:
    """Encode data as base64 of gzipped JSON; equal data gives equal text."""
    return b64encode(gzip.compress(msgspec.json.encode(page_data), mtime=0)).decode()


def _read_viewer_file(kind: str) -> str:
    """Return the viewer's script ("js") or style ("css") for pages without a server; raises ViewerFilesMissing."""
    file = viewer_folder() / "alone" / f"alone.{kind}"
    if not file.is_file():
        raise ViewerFilesMissing(
            _("the viewer of this kit cannot be written into a page: install the current kit, or run `make ui`")
        )
    return file.read_text("utf-8")


def _hash(text: str) -> str:
    """Return the Content-Security-Policy hash source that allows an inline script or style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
