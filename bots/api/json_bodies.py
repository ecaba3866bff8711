"""JSON parser that refuses request bodies with invalid text or deep nesting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """JSON parser that refuses lone surrogates, which UTF-8 cannot encode, and nesting too deep for Python."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the parsed JSON of a request body; raises ParseError."""
        try:
            content = super().parse(stream, media_type, parser_context)
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
