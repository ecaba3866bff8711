"""Debouncing."""

from __future__ import annotations

from foundation.debounce import Debounce


def test_a_debounced_action_is_due_again_after_the_interval_of_its_own_key() -> None:
    now = [0.0]
    debounce = Debounce(1.0, lambda: now[0])
    assert debounce.is_due("one")
    debounce.record("one")
    assert not debounce.is_due("one")
    assert debounce.is_due("two")
    now[0] = 0.75
    assert not debounce.is_due("one")
    now[0] = 1.0
    assert debounce.is_due("one")


def test_debouncing_deletes_the_keys_of_earlier_intervals() -> None:
    now = [0.0]
    debounce = Debounce(1.0, lambda: now[0])
    for key in range(100):
        debounce.record(key)
        now[0] += 0.5
    assert len(debounce._done_at) <= 2
