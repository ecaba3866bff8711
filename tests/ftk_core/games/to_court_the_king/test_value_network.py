"""The network that estimates the share of a seat after its turn, as the program that trains it writes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.native_library import build_and_load
from tools.playout_policy import value_network_training

pytestmark = pytest.mark.slow


def test_retraining_the_value_network_gives_small_errors_and_a_header_like_the_committed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    build_and_load()
    committed = value_network_training.TARGET.read_text()
    monkeypatch.setattr(value_network_training, "TARGET", tmp_path / "weights.hpp")
    value_network_training.main(400)
    texts = (committed, (tmp_path / "weights.hpp").read_text())
    one, other = (re.sub(r"-?\d\.\d{3}e[-+]\d\df", "NUMBER", text) for text in texts)
    assert one == other
    errors = [float(error) for error in re.findall(r"error (0\.\d+)", capsys.readouterr().out)]
    assert len(errors) == 4
    assert max(errors) < 0.35
