"""The likelihoods by which a search of Kings Court draws courts, compared with the policy of the playouts."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ftk_core.native.build import find_compiler
from ftk_core.native.shared_rules_library import SOURCES

PROGRAM = Path("tests/support/games/kings_court/likelihood_comparison.cpp")
pytestmark = pytest.mark.slow


def test_the_likelihood_of_a_sampled_state_agrees_with_thefts_and_claims_of_the_policy(tmp_path: Path) -> None:
    """Thefts are compared with their frequencies. Claims of the policy must be likely, and false numbers unlikely."""
    program = tmp_path / "compare"
    subprocess.run(
        [*find_compiler(), "-std=c++20", "-O1", "-I", str(SOURCES), str(PROGRAM), "-o", str(program)], check=True
    )
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert printed[:-1] == []
    thefts, claims = map(int, re.findall(r"\d+", printed[-1]))
    assert thefts > 500
    assert claims > 500
