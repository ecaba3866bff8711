"""Database access from browser tests: playwright's event loop runs in the test's thread, so Django runs in another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")


def call_in_thread(do: Callable[P, R], *words: P.args, **more: P.kwargs) -> R:
    """Call a function in a thread of its own, close that thread's database connections, and return the result."""

    def done() -> R:
        try:
            return do(*words, **more)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as hands:
        return hands.submit(done).result()
