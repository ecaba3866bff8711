"""Units of systemd as commands that start the same processes, with those settings that need no systemd."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

NOT_IMITATED = {
    *("Description", "After", "Wants", "WantedBy", "CPUWeight", "MemoryMax", "Delegate", "ProtectHome"),
    *("KillMode", "Restart", "RestartSec", "RestartPreventExitStatus", "TimeoutStopSec"),
}
"""Settings that only systemd itself, or its control groups, can apply. ProtectHome could hide the checkout."""
NEEDS_CGROUP = "BOT_CGROUP"
"""Variable that demands a control group from systemd (`Delegate=`)."""


def read_environment(text: str) -> dict[str, str]:
    """Return the variables of an environment file as systemd reads it: a comment is a line of its own."""
    lines = [line for line in text.splitlines() if line and line[0] not in "#;"]
    return dict(line.split("=", 1) for line in lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A service: its user, folders, environment, limit of open files, and the command that it starts."""

    name: str
    user: str
    folder: str
    environment: Mapping[str, str]
    writable: tuple[str, ...]
    open_files: int
    command: tuple[str, ...]

    def build_command(self, hard_limit: int) -> list[str]:
        """Return the command that starts the service as systemd does.

        The unit must set NoNewPrivileges, an empty CapabilityBoundingSet, ProtectSystem=strict and PrivateTmp.
        `hard_limit` is the greatest number of open files that this machine allows.
        """
        binds = [word for folder in self.writable for word in ("--bind", folder, folder)]
        private = ["bwrap", "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", *binds]
        private += ["--perms", "1777", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", "/var/tmp"]
        private += ["--cap-add", "ALL", "--chdir", self.folder]
        files = min(self.open_files, hard_limit)
        limits = ["prlimit", f"--nofile={files}:{files}"]
        rights = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--init-groups", "--no-new-privs"]
        rights += ["--bounding-set=-all", "--inh-caps=-all"]
        return [*private, *limits, *rights, *self.command]


def read_unit(file: Path, read: Callable[[str], str]) -> Unit:
    """Return the service of a unit file; `read` returns the text of a file of the server.

    Raises AssertionError for a setting that is neither applied here nor in `NOT_IMITATED`.
    """
    pairs = re.findall(r"^([A-Za-z]+)=(.*)$", file.read_text(), re.MULTILINE)
    settings = {name: value for name, value in pairs if name not in NOT_IMITATED}
    variables = read_environment(read(settings.pop("EnvironmentFile")))
    variables |= dict(value.split("=", 1) for name, value in pairs if name == "Environment")
    variables.pop(NEEDS_CGROUP, None)
    settings.pop("Environment", None)
    protection = {name: settings.pop(name) for name in ("NoNewPrivileges", "CapabilityBoundingSet", "ProtectSystem")}
    assert protection == {"NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "ProtectSystem": "strict"}, file
    assert settings.pop("PrivateTmp") == "yes", file
    unit = Unit(
        name=file.stem,
        user=settings.pop("User"),
        folder=settings.pop("WorkingDirectory"),
        environment=variables,
        writable=tuple(settings.pop("ReadWritePaths").split()),
        open_files=int(settings.pop("LimitNOFILE")),
        command=tuple(shlex.split(settings.pop("ExecStart").replace("%%", "%"))),
    )
    assert not settings, f"{file}: the tests do not know {sorted(settings)}"
    return unit
