"""Functions that switch off single layers of the sandbox, to test the other layers or that the gap is detected."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from bots.sandbox import bot_start_settings, bwrap
from bots.sandbox.filter.bpf import ALLOW, RETURN
from bots.sandbox.filter.system_call_policy import Kind


@contextmanager
def replaced_filter(monkeypatch: pytest.MonkeyPatch, assemble: Callable[[Kind], bytes]) -> Iterator[None]:
    """Use `assemble` to make the system call filters of all backends during the `with` block."""
    for module in (bot_start_settings, bwrap):
        monkeypatch.setattr(module, "assemble_filter", assemble)
    bot_start_settings._encoded_filter.cache_clear()
    bwrap.filter_descriptor.cache_clear()
    yield
    bot_start_settings._encoded_filter.cache_clear()
    bwrap.filter_descriptor.cache_clear()


def disabled_filter(monkeypatch: pytest.MonkeyPatch) -> AbstractContextManager[None]:
    """Use a system call filter that allows everything during the `with` block."""
    return replaced_filter(monkeypatch, lambda _kind: struct.pack("=HBBI", RETURN, 0, 0, ALLOW))


def disable_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start bots without resource limits of their own, so that they inherit those of this process."""
    monkeypatch.setattr(bot_start_settings, "list_rlimits", lambda _limits, **_how: {})
