"""Without the programs that they are about, these tests have nothing to try; CI has them all (and a cgroup to try)."""

from __future__ import annotations

import os

from tests.support.machine import have

collect_ignore = [] if "FTK_TEST_CGROUP" in os.environ else ["test_cgroup.py"]
collect_ignore += [
    name
    for name, programs in {
        "test_build.py": ("bwrap", "cc"),
        "test_languages.py": ("bwrap", "cc"),
        "test_filter.py": ("seccomp",),
    }.items()
    if not have(*programs)
]
