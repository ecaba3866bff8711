"""All resource limits that the kernel enforces on a bot."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class CageLimits:
    """Kernel limits of one bot process; the referee's clocks are stricter."""

    cpu_seconds: int = 60
    """A backstop behind the referee's own clock."""
    memory_bytes: int = 256 * MIB
    """Limit of address space; of data in a runtime with threads, which reserves far more than it uses."""
    reserved_bytes: int = 12 * 1024 * MIB
    """Limit of address space in such a runtime: WebAssembly reserves 10 GiB. It bounds the page tables."""
    descriptors: int = 16
    threads: int = 32
    """For runtimes that cannot do without threads (node)."""
    boot_seconds: float = 10
    """Maximum time until the sandbox is complete; a bot's own start is on its own clock."""


CAGE = CageLimits()
