"""The PostgreSQL of a fleet, as a program of the host that has it: ``python -m … <var> <network>``, until SIGTERM."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.supervisor import embedded

NOTICES = {
    "tcp_keepalives_idle": "60",
    "tcp_keepalives_interval": "20",
    "tcp_keepalives_count": "6",
    "tcp_user_timeout": "180000",
}
"""A host without power says no goodbye: what it held in the middle of a transaction would be held for two hours. One
that is back within three minutes finds its connections as they were, and with them all that it was about to write."""
DOOR = "door"
"""The file that says where the database is reached on this machine, beside the network."""


def main(words: Sequence[str]) -> None:
    """Serve the cluster in a folder to a network."""
    var, network = Path(words[0]), words[1]
    settings = {"listen_addresses": "*", "max_connections": "200", **NOTICES}
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    access = var / "postgres" / "cluster" / "pg_hba.conf"
    line = f"host all all {network} trust\n"
    if line not in access.read_text():
        with access.open("a") as file:
            file.write(line)
    server = embedded.start(var / "postgres", settings)
    (var / DOOR).write_text(server.url)
    signal.sigwait({signal.SIGTERM})
    server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
