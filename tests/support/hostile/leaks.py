"""Known leaks of the backends, each with its reason; a bot in this list must succeed, or its entry is removed."""

from __future__ import annotations

LEAKS: dict[str, dict[str, str]] = {
    "landlock": {
        "files-probe_outside": "Landlock does not hide whether a path exists",
        "files-stat_outside": "Landlock does not hide how big a file is",
        "files-read_link_outside": "Landlock does not hide where a link leads",
        "secrets-host_name": "there is no namespace for the machine's name",
        "persistence-time_of_reading": "the stored folder is not mounted read-only: reading a file leaves a time",
    },
}
"""Reason why a bot succeeds, by backend and by bot (``group-name``)."""
