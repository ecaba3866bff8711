"""Collection rules: sandbox tests are not collected without the programs that they need; CI has all of them."""

from __future__ import annotations

import os

from tests.support.machine import has_programs
from tests.support.native_library import can_build

collect_ignore = [] if "FTK_TEST_CGROUP" in os.environ else ["test_cgroup.py"]
collect_ignore += [] if can_build() else ["test_engine.py"]
collect_ignore += [
    name
    for name, programs in {
        "test_build.py": ("bwrap", "cc"),
        "test_languages.py": ("bwrap", "cc"),
        "test_filter.py": ("seccomp",),
    }.items()
    if not has_programs(*programs)
]
