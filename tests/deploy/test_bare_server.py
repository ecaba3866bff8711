"""The page for operators, `deploy/README.md`, from a bare server to an upload with a rating and 4,000 watchers.

Nothing but Debian's packages and systemd is imitated: users, database, nginx and the processes of all units are real.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.bare_server.bare_server import ROOT, BareServer
from tests.support.certificates import certificate_for
from tests.support.lengths import short_or_long
from tests.support.waiting import until, wait_for

README = (ROOT / "deploy/README.md").read_text()
(COMMAND,) = re.findall(r"## From a bare server\n.*?```\n(.*?)\n```", README, re.DOTALL)
CERTIFICATE = "/etc/ssl/arena/fullchain.pem"
WATCHERS = short_or_long(400, 4_000)
PATIENCE = 300.0


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BareServer]:
    with BareServer(tmp_path) as server:
        yield server


def put_certificate(server: BareServer) -> None:
    """Install a certificate as the page describes, and start nginx as Debian does."""
    pem = certificate_for("arena.example", server.folder).read_text()
    files = "\n".join(
        f"printf %s {shlex.quote(pem)} >/etc/ssl/arena/{name}" for name in ("fullchain.pem", "privkey.pem")
    )
    server.run(f"mkdir -p /etc/ssl/arena\n{files}\nnginx")


def start_units(server: BareServer, *, without: str) -> dict[str, subprocess.Popen[str]]:
    """Start the processes of all services except one."""
    return {unit.name: server.start_unit(unit) for unit in server.list_units() if unit.name != without}


def ask(server: BareServer, path: str) -> Any:
    """Return the answer of the API to a request on the server."""
    code = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=20).read().decode())"
    command = shlex.join(["/opt/ftk/.venv/bin/python", "-c", code, f"https://arena.example{path}"])
    return json.loads(server.run(command, {"SSL_CERT_FILE": CERTIFICATE}))


def read_status(server: BareServer, path: str) -> str:
    """Return the status of the answer to a request on the server, or the error."""
    code = "import sys, urllib.request as u\ntry: print(u.urlopen(sys.argv[1], timeout=20).status)\n"
    code += "except OSError as error: print(error)"
    command = shlex.join(["/opt/ftk/.venv/bin/python", "-c", code, f"https://arena.example{path}"])
    return server.run(command, {"SSL_CERT_FILE": CERTIFICATE}).strip()


def read_logs(server: BareServer) -> str:
    """Return the last lines of the logs of all services."""
    logs = sorted(server.folder.glob("ftk-*.log"))
    return "\n".join(f"{log.name}: {log.read_text()[-2_000:]}" for log in logs)


def run_ftk(server: BareServer, token: str, *words: str) -> str:
    """Run the program of authors on the server, as an author."""
    command = shlex.join(["/opt/ftk/.venv/bin/python", "-c", "from ftk_core.kit.cli import app; app()", *words])
    variables = {"FTK_SERVER": "https://arena.example", "FTK_TOKEN": token, "SSL_CERT_FILE": CERTIFICATE}
    return server.run(f"cd /opt/ftk\n{command}", variables)


def visit(server: BareServer, *words: str) -> list[str]:
    """Return the command that simulates visitors of the site, on the server."""
    return ["env", "-C", "/opt/ftk", ".venv/bin/python", "-m", "tests.support.bare_server.visitors", *words]


@pytest.mark.slow
@pytest.mark.nightly
def test_the_documented_installation_rates_an_upload_and_shows_its_match_to_thousands_of_watchers(
    server: BareServer,
) -> None:
    installed = server.run(COMMAND)
    (link,) = re.findall(r"https://arena\.example/invitation/\S+", installed)
    put_certificate(server)
    units = start_units(server, without="ftk-worker")

    def is_ready() -> bool:
        assert {name: unit.poll() for name, unit in units.items()} == dict.fromkeys(units), read_logs(server)
        return read_status(server, "/readyz") == "200"

    wait_for(is_ready, "the site is ready", PATIENCE)
    server.run(shlex.join(visit(server, "sign-up", link, "grace")))
    server.manage("organiser", "grace", "--staff")
    server.manage("ladder", "pig", "--rate", "40", "--why", "the first evening")
    bots = list_built_in_bots("pig")
    rivals = [server.manage("token", name).split()[-1] for name in ("house", "ada")]
    for token, bot, source in zip(rivals, ("holder", "mine"), ("hold20", "random"), strict=True):
        assert "active" in run_ftk(server, token, "upload", "pig", str(bots[source]), "--bot", bot)
    order = ("challenge", "mine", "--against", "holder", "--matches", "2", "--json")
    run_ftk(server, rivals[1], *order)
    (match, *_) = wait_for(lambda: ask(server, "/api/v1/matches/?status=waiting")["results"], "a match waits")
    log = server.folder / "watchers"
    watchers = server.start(visit(server, "watch", match["id"], str(WATCHERS)), log)
    wait_for(lambda: "connected" in log.read_text() or watchers.poll() is not None, "watchers connect", PATIENCE)
    assert f"{WATCHERS} connected" in log.read_text()
    (worker,) = (unit for unit in server.list_units() if unit.name == "ftk-worker")
    units[worker.name] = server.start_unit(worker)
    assert watchers.wait(PATIENCE) == 0, log.read_text()
    (count,) = json.loads(log.read_text().splitlines()[-1]).values()
    assert count == WATCHERS, "all received the same frames"

    def list_own_rows() -> list[Any]:
        until(time.monotonic() + 1)  # the API limits requests
        return [row for row in ask(server, "/api/v1/ladders/pig/continuous/")["ladder"]["rows"] if row["bot"] == "mine"]

    (row,) = wait_for(list_own_rows, lambda: f"a rating: {read_logs(server)}", PATIENCE)
    assert row["matches"] >= 1
    assert {name: unit.poll() for name, unit in units.items()} == dict.fromkeys(units), "no process ended"
