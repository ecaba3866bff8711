"""ETags of a league's API response: the ETag of the league, and a digest of the rest of the content."""
# No event contains the logo of a league, nor the language of a response. They change the content, but not the league
# that an act with `If-Match` applies to.

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

CONTENT_DIGEST = re.compile(r'-[0-9a-f]{16}"$', re.ASCII)


def add_content_digest(etag: str, content: dict[str, Any]) -> str:
    """Return the ETag of a response with this content, from the ETag of its league."""
    digest = sha256(json.dumps(content, default=str).encode()).hexdigest()[:16]
    return f'{etag.removesuffix(chr(34))}-{digest}"'


def remove_content_digest(etag: str) -> str:
    """Return the ETag of the league that the ETag of a response contains. Other ETags stay as they are."""
    return CONTENT_DIGEST.sub('"', etag)
