"""Program that runs PostgreSQL for simulated hosts.

Usage: ``python -m tools.multi_host_fleet.fleet_database <var> <network>``, with the site's data folder and the hosts'
network, such as ``10.77.0.0/24``.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.supervisor import embedded_postgres

NOTICES = {
    "tcp_keepalives_idle": "60",
    "tcp_keepalives_interval": "20",
    "tcp_keepalives_count": "6",
    "tcp_user_timeout": "180000",
}
"""TCP settings of PostgreSQL that end the connections of a host without power after three minutes. With the default
settings, the transactions of that host would hold their locks for two hours. A host that was only disconnected keeps
its connections if it returns within the three minutes."""
DOOR = "door"
"""Name of the file with the database's URL for processes on this machine that are not on a simulated host."""


def main(words: Sequence[str]) -> None:
    """Run PostgreSQL for the hosts of a network until SIGTERM."""
    # Hosts of the network need no password.
    var, network = Path(words[0]), words[1]
    settings = {"listen_addresses": "*", "max_connections": "200", **NOTICES}
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    access = var / "postgres" / "cluster" / "pg_hba.conf"
    line = f"host all all {network} trust\n"
    if line not in access.read_text():
        with access.open("a") as file:
            file.write(line)
    server = embedded_postgres.start_server(var / "postgres", settings)
    (var / DOOR).write_text(server.url)
    signal.sigwait({signal.SIGTERM})
    server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
