"""Without the programs that they are about, these tests have nothing to try; CI has them all."""

from __future__ import annotations

from tests.machine import have

collect_ignore = [
    name
    for name, programs in {"test_build.py": ("bwrap", "cc"), "test_filter.py": ("seccomp",)}.items()
    if not have(*programs)
]
