"""Reverse proxy on a simulated host: nginx, in front of the web servers on other simulated hosts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tests.support.machine import NGINX
from tests.support.waiting import wait_for
from tools.multi_host_fleet.simulated_hosts import PATIENCE, ROOT, SimulatedHost

PORT = 80
SILENT_SECONDS = 45
"""Read timeout of the proxy. A web server pings its WebSocket clients every twenty seconds, so a server that sends
nothing for longer has lost power; the proxy then disconnects its clients so that they reconnect to another server."""
SITE = """
daemon off;
user root root;
worker_processes 1;
worker_rlimit_nofile 8192;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    map $http_upgrade $arena_upgrade {{ default upgrade; '' ''; }}
    upstream arena {{
{servers}
        keepalive 32;
    }}
    server {{
        listen {address}:{port} backlog=4096;
        server_name arena;
        location / {{
            proxy_pass http://arena;
            include {ours}/arena-proxy.conf;
            proxy_read_timeout {silent}s;
        }}
    }}
}}
"""


def start(host: SimulatedHost, folder: Path, servers: Sequence[str]) -> str:
    """Start nginx on a host as a proxy for these servers (``address:port``). Return the host's address."""
    assert NGINX
    folder.mkdir(parents=True)
    lines = "\n".join(f"        server {server} max_fails=1 fail_timeout=5s;" for server in servers)
    ours = ROOT / "deploy" / "nginx"
    places = {"folder": folder, "ours": ours, "address": host.address, "port": PORT}
    (folder / "nginx.conf").write_text(SITE.format(servers=lines, silent=SILENT_SECONDS, **places))
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    host.start("proxy", command, log=folder / "nginx.log", env=dict(os.environ))
    wait_for(lambda: host.listens(PORT), lambda: f"the proxy; {(folder / 'nginx.log').read_text()}", PATIENCE)
    return host.address
