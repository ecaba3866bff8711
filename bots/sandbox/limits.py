"""Resource limits that the kernel and the watchdog enforce on a bot."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """Resource limits of one bot process; the clocks of a match are stricter."""

    cpu_seconds: int = 60
    """Limit of CPU time per process, in case the clock of the match fails to stop the bot."""
    memory_bytes: int = 256 * MIB
    """Limit of the address space. For a runtime with threads, which reserves more than it uses: of the data segment."""
    reserved_bytes: int = 12 * 1024 * MIB
    """Limit of the address space for a runtime with threads, as WebAssembly reserves 10 GiB; it bounds page tables."""
    descriptors: int = 16
    """Maximum number of open file descriptors; a runtime with threads may have more, see `runtime.list_rlimits`."""
    threads: int = 32
    """Maximum number of threads, for runtimes that need threads (node)."""
    boot_seconds: float = 10
    """Maximum seconds until the sandbox is complete; the bot's own start comes later and runs on the bot's clock."""


SANDBOX_LIMITS = SandboxLimits()
