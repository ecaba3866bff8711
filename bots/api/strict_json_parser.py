"""JSON parser that refuses request bodies with invalid text or deep nesting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MAX_NESTING = 64
"""Maximum depth of nested arrays and objects in a request body."""


class StrictJSONParser(JSONParser):
    """JSON parser that refuses lone surrogates, which UTF-8 cannot encode, and deep nesting."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the parsed JSON of a request body; raises ParseError."""
        try:
            content = super().parse(stream, media_type, parser_context)
            _check_nesting(content)
            json.dumps(content, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(gettext("The body is nested too deeply.")) from None
        except UnicodeEncodeError as error:
            surrogate = f"U+{ord(error.object[error.start]):04X}"
            raise ParseError(
                gettext("The body contains the surrogate %(character)s without its pair. Send a whole character.")
                % {"character": surrogate}
            ) from None
        return content


def _check_nesting(content: Any) -> None:
    """Raise RecursionError for JSON nested deeper than MAX_NESTING."""
    # Not recursive: from Python 3.14 on, the standard library parses what later recursive code cannot handle.
    level = [content]
    for _ in range(MAX_NESTING):
        containers = [part for part in level if isinstance(part, (dict, list))]
        level = [child for part in containers for child in (part.values() if isinstance(part, dict) else part)]
    if any(isinstance(part, (dict, list)) for part in level):
        raise RecursionError
