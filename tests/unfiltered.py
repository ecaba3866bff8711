"""Takes layers of the cage off, to see that the others hold or that the gap is found."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bots.cage import bwrap, plan
from bots.cage.bpf import ALLOW, RETURN


@contextmanager
def unfiltered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace both filters by one that refuses nothing."""
    for module in (plan, bwrap):
        monkeypatch.setattr(module, "assembled", lambda _kind: struct.pack("=HBBI", RETURN, 0, 0, ALLOW))
    plan._filter.cache_clear()
    bwrap.sealed_file.cache_clear()
    yield
    plan._filter.cache_clear()
    bwrap.sealed_file.cache_clear()


def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the kernel's limits as they are."""
    monkeypatch.setattr(plan, "rlimits", lambda _limits, **_how: {})
