"""Collection rule: the training examples are tested where their libraries are installed, as `make train` does."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") and find_spec("sb3_contrib") else ["test_examples.py"]
