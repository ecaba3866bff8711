"""What a tier is known to let through, each with its reason; such a bot must still breach, or the entry goes."""

from __future__ import annotations

_EVERYWHERE = {
    "kernel-system_figures": "the policy allows sysinfo: a bot learns how busy the machine is",
}
LEAKS: dict[str, dict[str, str]] = {
    "bwrap": _EVERYWHERE,
    "forkserver": _EVERYWHERE,
    "landlock": {
        **_EVERYWHERE,
        "files-probe_outside": "Landlock does not hide whether a path exists",
        "files-stat_outside": "Landlock does not hide how big a file is",
        "processes-limit_parent": "the policy lets prlimit ask about any process, and the worker's is in sight here",
    },
}
"""By tier, the bots as ``group-name``."""
