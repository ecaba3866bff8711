"""Metrics of the sandbox."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter

from bots.cage.oom import HostMemoryError
from bots.cage.runtime import CageUnavailable
from ftk_core.kit.holding import BuildFailed
from ftk_core.players import HostFault

FAULTS = Counter(
    "ftk_cage_faults_total", "Matches and trials that could not go on in a cage, by what was wrong.", ["reason"]
)
REASONS: Final = {
    CageUnavailable: "unavailable",
    BuildFailed: "not_built",
    HostMemoryError: "no_memory",
    HostFault: "slow_host",
}
"""Label of a fault, by its exception."""
for _reason in REASONS.values():
    FAULTS.labels(_reason)


def count_any(error: Exception) -> None:
    """Count an error if it is a sandbox fault."""
    if isinstance(error, CageUnavailable | BuildFailed | HostFault):
        count_fault(error)


def count_fault(error: CageUnavailable | BuildFailed | HostFault) -> None:
    """Count a fault by its reason."""
    FAULTS.labels(next(reason for kind, reason in REASONS.items() if isinstance(error, kind))).inc()
