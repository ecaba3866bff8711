"""Conversion of an uploaded picture into the small PNG file of a logo."""
# Only pixels are kept, so that no bytes or metadata of an upload reach a browser.

from __future__ import annotations

import zlib
from hashlib import sha256
from io import BytesIO
from struct import error as StructError  # noqa: N812 - named like the other exceptions

from django.utils.translation import gettext
from PIL import ExifTags, Image

from ftk_core.league.league_state import CommandRejected

MAX_UPLOAD_BYTES = 512 * 1024
MAX_UPLOAD_PIXELS = 4096
"""Maximum width and height of an uploaded picture. Both are checked before a pixel is decoded."""
LOGO_PIXELS = 256
"""Maximum width and height of a stored logo."""
DIGEST_CHARACTERS = 16
FORMATS = ("PNG", "JPEG", "WEBP")
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""EXIF orientation -> transposition that makes the picture upright. Value 1 is upright already (Exif 2.3, tag 274).

Pillow's own `ImageOps.exif_transpose` is not used: it also rewrites all other EXIF tags, and fails if one is damaged.
"""
DECODING_ERRORS = (OSError, SyntaxError, ValueError, EOFError, StructError, zlib.error)
"""Exceptions that Pillow raises for damaged pictures of the accepted formats."""


def compute_file_digest(content: bytes) -> str:
    """Return the first `DIGEST_CHARACTERS` hexadecimal digits of a file's SHA-256."""
    # They are part of the file's URL, so that a new file gets a new URL.
    return sha256(content).hexdigest()[:DIGEST_CHARACTERS]


def convert_logo(upload: bytes) -> bytes:
    """Convert an uploaded picture into a PNG file of at most `LOGO_PIXELS` in width and height.

    Raises CommandRejected if the picture is too large or cannot be read.
    """
    if len(upload) > MAX_UPLOAD_BYTES:
        raise CommandRejected(
            gettext("a logo has at most %(most)s KiB, not %(size)s; make the picture smaller")
            % {"most": MAX_UPLOAD_BYTES // 1024, "size": -(-len(upload) // 1024)}
        )
    try:
        with Image.open(BytesIO(upload), formats=FORMATS) as picture:
            _check_size(picture)
            return _shrink(picture)
    except Image.DecompressionBombError:
        raise CommandRejected(
            gettext("a logo is at most %(most)s pixels wide and high; make it smaller") % {"most": MAX_UPLOAD_PIXELS}
        ) from None
    except DECODING_ERRORS:
        raise CommandRejected(gettext("the file is no PNG, JPEG or WebP picture; export it as one of these")) from None


def _check_size(picture: Image.Image) -> None:
    if max(picture.size) > MAX_UPLOAD_PIXELS:
        raise CommandRejected(
            gettext("a logo is at most %(most)s pixels wide and high, not %(width)s × %(height)s; make it smaller")
            % {"most": MAX_UPLOAD_PIXELS, "width": picture.width, "height": picture.height}
        )


def _shrink(picture: Image.Image) -> bytes:
    picture.draft("RGB", (2 * LOGO_PIXELS, 2 * LOGO_PIXELS))  # JPEG files are decoded at a fraction of their size
    orientation = picture.getexif().get(ExifTags.Base.Orientation)
    small = picture.convert("RGBA")
    small.thumbnail((LOGO_PIXELS, LOGO_PIXELS), Image.Resampling.LANCZOS)
    turn = TURNS.get(orientation) if isinstance(orientation, int) else None
    upright = small if turn is None else small.transpose(turn)
    file = BytesIO()
    Image.frombytes("RGBA", upright.size, upright.tobytes()).save(file, "PNG", optimize=True)
    return file.getvalue()
