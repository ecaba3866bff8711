"""Takes layers of the cage off, to see that the others hold or that the gap is found."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from bots.cage import bwrap, plan
from bots.cage.filter.bpf import ALLOW, RETURN
from bots.cage.filter.policy import Kind


@contextmanager
def refiltered(monkeypatch: pytest.MonkeyPatch, assemble: Callable[[Kind], bytes]) -> Iterator[None]:
    """Let both filters be assembled in another way, or anew."""
    for module in (plan, bwrap):
        monkeypatch.setattr(module, "assembled", assemble)
    plan._filter.cache_clear()
    bwrap.sealed_file.cache_clear()
    yield
    plan._filter.cache_clear()
    bwrap.sealed_file.cache_clear()


def unfiltered(monkeypatch: pytest.MonkeyPatch) -> AbstractContextManager[None]:
    """Replace both filters by one that refuses nothing."""
    return refiltered(monkeypatch, lambda _kind: struct.pack("=HBBI", RETURN, 0, 0, ALLOW))


def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the kernel's limits as they are."""
    monkeypatch.setattr(plan, "rlimits", lambda _limits, **_how: {})
