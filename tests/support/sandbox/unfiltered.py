"""Switches for single layers of the sandbox, to test that the others hold or that the gap is found."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from bots.sandbox import bwrap, start_plan
from bots.sandbox.filter.bpf import ALLOW, RETURN
from bots.sandbox.filter.policy import Kind


@contextmanager
def replaced_filter(monkeypatch: pytest.MonkeyPatch, assemble: Callable[[Kind], bytes]) -> Iterator[None]:
    """Replace the assembly of both filters."""
    for module in (start_plan, bwrap):
        monkeypatch.setattr(module, "assemble_filter", assemble)
    start_plan._encoded_filter.cache_clear()
    bwrap.filter_descriptor.cache_clear()
    yield
    start_plan._encoded_filter.cache_clear()
    bwrap.filter_descriptor.cache_clear()


def disabled_filter(monkeypatch: pytest.MonkeyPatch) -> AbstractContextManager[None]:
    """Replace both filters by one that allows everything."""
    return replaced_filter(monkeypatch, lambda _kind: struct.pack("=HBBI", RETURN, 0, 0, ALLOW))


def disable_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the kernel's default limits."""
    monkeypatch.setattr(start_plan, "list_rlimits", lambda _limits, **_how: {})
