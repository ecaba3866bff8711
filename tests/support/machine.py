"""What this machine offers the tests of the cage.

With ``FTK_REQUIRE_CAGE=1``, as CI sets it, everything must be there and hold; without, a machine that cannot have a
tier (no bwrap, namespaces forbidden) is tried with those it has, of which there must be one.
"""

from __future__ import annotations

import os
import shutil
from ctypes.util import find_library
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bots.cage import Cage

REQUIRED = os.environ.get("FTK_REQUIRE_CAGE") == "1"
FOUND = "FTK_TEST_TIERS"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
if not NGINX and os.environ.get("FTK_REQUIRE_NGINX") == "1":
    raise RuntimeError("there is no nginx here, and FTK_REQUIRE_NGINX says that there must be")


def cage_of(tier: str) -> Cage:
    """Return the cage that the settings describe, in another tier."""
    from bots import here  # once the settings are there, which this module is imported before

    return replace(here.cage(), tier=tier)


def held_tiers() -> tuple[str, ...]:
    """Return the tiers to try, the best first; raises RuntimeError where there is none, or not all that must be.

    They are found out once: workers of pytest-xdist read in the environment what the process that started them found.
    """
    if FOUND in os.environ:
        return tuple(os.environ[FOUND].split())
    from bots.cage.inside import nobody
    from bots.cage.probe import probe
    from bots.cage.spawn import TIERS

    reports = [probe(cage_of(name)) for name in TIERS]
    refused = [f"{report.tier}: {report.reason}" for report in reports if not report.held]
    held = tuple(report.tier for report in reports if report.held)
    if os.getuid() == nobody.NOBODY and nobody.is_roots():  # begun as root, which has no use for the tier without users
        refused = [reason for reason in refused if not reason.startswith("landlock: ")]
    if not held or (REQUIRED and refused):
        raise RuntimeError(f"bots cannot be contained here: {'; '.join(refused)}")
    os.environ[FOUND] = " ".join(held)
    return held


def have(*programs: str) -> bool:
    """Tell whether the machine has all these programs (or libseccomp), or must have them."""
    return REQUIRED or all(shutil.which(name) or find_library(name) for name in programs)
