"""Rate limits for one test."""

from __future__ import annotations

from typing import Any


def set_rate_limits(settings: Any, **scopes: str) -> None:
    """Set the rates of scopes, such as ``person="10/min"``."""
    settings.THROTTLES = {**settings.THROTTLES, **{scope.replace("_", "-"): rate for scope, rate in scopes.items()}}
