"""Sandbox for uploaded bots, which are assumed to be hostile.

Documented in deploy/SANDBOX.md; the entry point is `sandboxed_bot_start.start_in_sandbox`.
"""
# No module of this package depends on Django or its settings: callers pass a `SandboxConfig`.

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxConfig:
    """Configuration of the sandbox on one machine."""

    backend: str
    """Sandbox backend, one of `sandboxed_bot_start.BACKENDS`; it is recorded with each match."""
    folder: Path
    """Folder for those files of this project that bots may see; created when it is first needed."""
    wheels: str = ""
    """Path of a folder with libraries that Python bots may import; empty for none."""
    cgroup: bool = False
    """True if each bot also gets its own cgroup."""
    prebuilt: bool = False
    """True if uploaded compiled programs (static ELF files) are accepted."""
    grid: int = 4
    """Factor of the geometric series to which answer times are rounded up, to hide exact thinking times; 0 is off."""
