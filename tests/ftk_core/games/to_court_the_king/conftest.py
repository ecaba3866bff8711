"""Collection of the tests of To Court the King: those that play by the native rules need a C++ compiler."""

from __future__ import annotations

from tests.support.native_library import can_build

collect_ignore = [] if can_build() else ["test_value_network.py"]
