"""Beside a browser: playwright's event loop runs in the test's thread, so Django's database is asked in another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")


def aside(do: Callable[P, R], *words: P.args, **more: P.kwargs) -> R:
    """Return what is done in a thread of its own, which leaves no connection open."""

    def done() -> R:
        try:
            return do(*words, **more)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as hands:
        return hands.submit(done).result()
