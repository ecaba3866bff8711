"""Sandbox backends and programs that this machine offers the tests.

With ``FTK_REQUIRE_CAGE=1``, as in CI, every backend must work. Otherwise a machine without some of them (no bwrap,
namespaces forbidden) is tested with the others, of which at least one must work.
"""

from __future__ import annotations

import os
import shutil
from ctypes.util import find_library
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bots.sandbox import SandboxConfig

SANDBOX_REQUIRED = os.environ.get("FTK_REQUIRE_CAGE") == "1"
BACKENDS_VARIABLE = "FTK_TEST_TIERS"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
if not NGINX and os.environ.get("FTK_REQUIRE_NGINX") == "1":
    raise RuntimeError("there is no nginx here, and FTK_REQUIRE_NGINX says that there must be")


def sandbox_config(backend: str) -> SandboxConfig:
    """Return the sandbox configuration of the settings with another backend."""
    from bots import sandbox_settings  # imported late, because this module is imported before Django's settings

    return replace(sandbox_settings.read_sandbox(), backend=backend)


def working_backends() -> tuple[str, ...]:
    """Return the backends to test, the best first; raises RuntimeError if none works or a required backend fails.

    They are determined once: workers of pytest-xdist read the result of their parent in the environment.
    """
    if BACKENDS_VARIABLE in os.environ:
        return tuple(os.environ[BACKENDS_VARIABLE].split())
    from bots.sandbox.inside import user_namespace
    from bots.sandbox.sandbox_self_test import probe_sandbox
    from bots.sandbox.sandboxed_bot_start import BACKENDS

    reports = [probe_sandbox(sandbox_config(name)) for name in BACKENDS]
    refusals = [f"{report.backend}: {report.reason}" for report in reports if not report.passed]
    working = tuple(report.backend for report in reports if report.passed)
    if (
        os.getuid() == user_namespace.NOBODY and user_namespace.has_root_rights()
    ):  # begun as root, which has no use for the backend without users
        refusals = [reason for reason in refusals if not reason.startswith("landlock: ")]
    if not working or (SANDBOX_REQUIRED and refusals):
        raise RuntimeError(f"bots cannot be contained here: {'; '.join(refusals)}")
    os.environ[BACKENDS_VARIABLE] = " ".join(working)
    return working


def has_programs(*programs: str) -> bool:
    """Return True if the machine has all these programs (or libseccomp), or must have them."""
    return SANDBOX_REQUIRED or all(shutil.which(name) or find_library(name) for name in programs)
