"""Reader of environment variables, which takes their values literally."""

from __future__ import annotations

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


class Environment(environ.Env):  # type: ignore[misc]  # the library has no types
    """Environment variables. Unlike its base class it does not read ``$word`` as the value of another variable."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        """Return the value of a variable; raises ImproperlyConfigured for a value that cannot be read."""
        text = self.ENVIRON.get(var, "")
        try:
            if text.startswith("$"):
                value = self.parse_value(text, cast)
            else:
                value = super().get_value(var, cast=cast, default=default, parse_default=parse_default)
        except ValueError:
            # a refused address may contain a password
            said = f"must be a number, not {text[:40]!r}" if cast in (int, float) else "cannot be read"
            raise ImproperlyConfigured(f"{var} {said}") from None
        return [word for part in value if (word := part.strip())] if cast is list and value else value


env = Environment()
