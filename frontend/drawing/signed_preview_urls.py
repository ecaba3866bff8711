"""URLs of the preview pictures of pages.

A URL contains the texts of its picture, signed so that only this site can choose them.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer
from django.urls import reverse

SIGNER = Signer(salt="page-preview")  # no timestamp, so that each rendering of a page has the same bytes
MAX_CHARACTERS = 200
"""Maximum length of a title or description; longer texts are cut, because they do not fit into the picture."""


class InvalidPreviewSignatureError(ValueError):
    """Raised if the texts in the URL of a preview picture were not signed by this site."""


def make_preview_address(title: str, description: str) -> str:
    """Return the URL (without host) of the preview picture that shows this title and description.

    The query parameter `about` contains both texts, signed by this site.
    """
    texts = SIGNER.sign_object([title[:MAX_CHARACTERS], description[:MAX_CHARACTERS]], compress=True)
    return f"{reverse('page-card')}?{urlencode({'about': texts})}"


def read_preview(texts: str) -> tuple[str, str]:
    """Return (title, description) from the URL of a preview picture; `texts` is the query parameter `about`.

    Raises InvalidPreviewSignatureError if `texts` was not signed by this site.
    """
    try:
        title, description = SIGNER.unsign_object(texts)
    except BadSignature as error:
        raise InvalidPreviewSignatureError from error
    return title, description
