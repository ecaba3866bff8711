"""Prometheus metrics of faults in the sandbox."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter

from bots.sandbox.language_runtimes import SandboxUnavailable
from bots.sandbox.out_of_memory_detection import HostMemoryError
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.players import HostOverloadError

FAULTS = Counter(
    "ftk_cage_faults_total", "Matches and trials that could not go on in a cage, by what was wrong.", ["reason"]
)
REASONS: Final = {
    SandboxUnavailable: "unavailable",
    BotBuildError: "not_built",
    HostMemoryError: "no_memory",
    HostOverloadError: "slow_host",
}
"""Value of the metric's label `reason`, by class of the exception."""
for _reason in REASONS.values():
    FAULTS.labels(_reason)


def count_error(error: Exception) -> None:
    """Add an error to the metric `FAULTS` if the sandbox or its machine caused it."""
    if isinstance(error, SandboxUnavailable | BotBuildError | HostOverloadError):
        count_fault(error)


def count_fault(error: SandboxUnavailable | BotBuildError | HostOverloadError) -> None:
    """Add a fault of the sandbox to the metric `FAULTS`."""
    FAULTS.labels(next(reason for kind, reason in REASONS.items() if isinstance(error, kind))).inc()
