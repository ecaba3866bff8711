"""Resource limits that the kernel and the server's watchdog enforce on a bot."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """Resource limits of one bot process; the time limits of a match are stricter."""

    cpu_seconds: int = 24 * 3600
    """Limit of CPU time per process, in case the time limits of the match fail to stop the bot.

    It is above what any clock allows: a minute for each of a thousand moves, and an hour in the bank.
    """
    memory_bytes: int = 256 * MIB
    """Limit of a bot's memory: of its address space, or of its data segment for a runtime with threads, which reserves
    more address space than it uses."""
    reserved_bytes: int = 12 * 1024 * MIB
    """Limit of the address space for a runtime with threads. It bounds the kernel's page tables. It is large, because
    WebAssembly alone reserves 10 GiB; the data segment is limited by `memory_bytes`."""
    descriptors: int = 16
    """Maximum number of open file descriptors; a runtime with threads may have more, see `list_rlimits`."""
    threads: int = 32
    """Maximum number of threads, for runtimes that need threads (node)."""
    boot_seconds: float = 10
    """Maximum seconds until the sandbox is complete. The bot starts later; its start is charged as its own time."""


SANDBOX_LIMITS = SandboxLimits()


def list_rlimits(
    limits: SandboxLimits, *, threads: bool, has_user_namespace: bool, code_bytes: int = 0
) -> dict[str, int]:
    """Convert the limits of a bot to the kernel's resource limits (``RLIMIT_...``).

    `threads` is True for a language runtime that uses threads. `code_bytes` is added to the memory limit of such a
    runtime, for the memory that it reserves for machine code at its start.
    """
    # The bot hardly uses the memory for machine code. A runtime with threads reserves more address space than it uses:
    # its memory limit applies to the data segment. Bots without a user namespace share one user, and the kernel counts
    # threads per user: a runtime with threads then gets no kernel limit on threads; only
    # `bots.sandbox.resource_watchdog` limits them.
    memory = {"RLIMIT_AS": limits.memory_bytes}
    if threads:
        memory = {"RLIMIT_AS": limits.reserved_bytes, "RLIMIT_DATA": limits.memory_bytes + code_bytes}
    tasks = {"RLIMIT_NPROC": limits.threads if threads else 1} if has_user_namespace or not threads else {}
    return {
        "RLIMIT_CPU": limits.cpu_seconds,
        **memory,
        **tasks,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NICE": 0,
        "RLIMIT_RTPRIO": 0,
        "RLIMIT_SIGPENDING": 64,
        "RLIMIT_STACK": 8 * 1024 * 1024,
        "RLIMIT_NOFILE": 64 if threads else limits.descriptors,
    }
