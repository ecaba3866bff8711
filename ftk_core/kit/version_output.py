"""Output of `ftk --version`: version and build of `ftk`, and the server's build."""

from __future__ import annotations

import os
import platform
from gettext import gettext as _

from ftk_core import __version__
from ftk_core.kit.build_id import compute_build_id
from ftk_core.kit.client.http_client import RequestError, check_server, request_json
from ftk_core.kit.terminal_output import err, out


def print_versions() -> None:
    """Print version and build of `ftk`, and the build of the server that FTK_SERVER names."""
    kit = _("ftk {version}, build {build}, Python {python}").format(
        version=__version__, build=compute_build_id(), python=platform.python_version()
    )
    out.print(kit)
    if server := os.environ.get("FTK_SERVER", ""):
        try:
            out.print(describe_arena(check_server(server)))
        except RequestError as error:
            err.print(str(error), style="red")


def describe_arena(server: str) -> str:
    """Return a line that says if a server runs the same build of `ftk_core` as this machine. Raises RequestError."""
    build = str(request_json(f"{server}/api/v1/version/").get("build", "?"))
    if build == compute_build_id():
        return _("{server}: build {build}, as here").format(server=server, build=build)
    return _("{server}: build {build}, not as here; {server}/write-a-bot/ has the kit that fits it").format(
        server=server, build=build
    )
