"""How much a bot may use: every limit of the kernel's in one table."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class CageLimits:
    """What one bot process is held to by the kernel; the referee's clocks come before these."""

    cpu_seconds: int = 60
    """A backstop behind the referee's own clock."""
    memory_bytes: int = 256 * MIB
    """Of address space; of data in a runtime with threads, which reserves far more than it uses."""
    reserved_bytes: int = 12 * 1024 * MIB
    """Of address space in such a runtime: WebAssembly reserves 10 GiB. It bounds the page tables."""
    descriptors: int = 16
    threads: int = 32
    """For runtimes that cannot do without them (node)."""
    boot_seconds: float = 10
    """How long the cage may take to close; a bot's own start is on its own clock."""


CAGE = CageLimits()
