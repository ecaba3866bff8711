"""URLs of the preview pictures of pages."""
# A URL contains the texts of its picture, signed so that only this site can choose them.

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
    """Return the signed URL of a preview picture with a title and a description."""
    texts = SIGNER.sign_object([title[:MAX_CHARACTERS], description[:MAX_CHARACTERS]], compress=True)
    return f"{reverse('page-card')}?{urlencode({'about': texts})}"


def read_preview(texts: str) -> tuple[str, str]:
    """Return the title and description from a signed preview URL.

    Raises InvalidPreviewSignatureError if this site did not sign them.
    """
    try:
        title, description = SIGNER.unsign_object(texts)
    except BadSignature as error:
        raise InvalidPreviewSignatureError from error
    return title, description
