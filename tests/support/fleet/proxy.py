"""The small reverse proxy of a fleet: nginx on a host, before the web servers of others."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tests.support.fleet.hosts import PATIENCE, ROOT, Host
from tests.support.machine import NGINX
from tests.support.waiting import wait_for

PORT = 80
SILENT_SECONDS = 45
"""Longer than the twenty seconds after which a web server asks whether its watcher is there: whoever says nothing for
so long has lost power, and its watchers are let go so that they dial again."""
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


def start(host: Host, folder: Path, servers: Sequence[str]) -> str:
    """Let a host pass on to servers (``address:port``), in turn; returns where it listens, when it does."""
    assert NGINX
    folder.mkdir(parents=True)
    lines = "\n".join(f"        server {server} max_fails=1 fail_timeout=5s;" for server in servers)
    ours = ROOT / "deploy" / "nginx"
    places = {"folder": folder, "ours": ours, "address": host.address, "port": PORT}
    (folder / "nginx.conf").write_text(SITE.format(servers=lines, silent=SILENT_SECONDS, **places))
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    host.start("proxy", command, log=folder / "nginx.log", env=dict(os.environ))
    wait_for(lambda: host.listens(PORT), f"the proxy; {(folder / 'nginx.log').read_text()}", PATIENCE)
    return host.address
