"""What a tier is known to let through, each with its reason; such a bot must still breach, or the entry goes."""

from __future__ import annotations

_EVERYWHERE = {
    "kernel-system_figures": "the filter allows sysinfo: a bot learns how busy the machine is",
    "collusion-woken_waiter": "the filter allows shared futexes; a frozen bot does not wait at one, so nobody is woken",
}
LEAKS: dict[str, dict[str, str]] = {
    "bwrap": _EVERYWHERE,
    "forkserver": _EVERYWHERE,
    "landlock": {
        **_EVERYWHERE,
        "files-probe_outside": "Landlock does not hide whether a path exists",
        "files-stat_outside": "Landlock does not hide how big a file is",
        "files-read_link_outside": "Landlock does not hide where a link leads",
        "secrets-host_name": "there is no namespace for the machine's name",
        "secrets-clock_of_parent": "the filter allows every clock, and there is no namespace of processes",
        "processes-limit_parent": "the filter allows asking for anybody's limits, and everybody is in sight",
        "processes-see_parent": "the filter allows asking for anybody's session, and everybody is in sight",
        "persistence-time_of_reading": "the stored folder is not mounted read-only: reading a file leaves a time",
    },
}
"""By tier, the bots as ``group-name``."""
