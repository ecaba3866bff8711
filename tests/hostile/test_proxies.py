"""Sample configurations of proxies: nginx runs with ours, except for host names and ports.

Without nginx these tests are not collected; with ``FTK_REQUIRE_NGINX=1``, as CI sets it, nginx must exist.
"""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings as ours
from django.urls import resolve, reverse

from deploy.config.limits import FORM_BYTES
from deploy.http.body_size_and_connection_limits import max_body_bytes
from deploy.supervisor.child_process_start_and_stop import start, stop
from foundation.branding.logo_pictures import MAX_UPLOAD_BYTES
from tests.support.arena import free_port
from tests.support.certificates import certificate_for
from tests.support.live import LiveMatch
from tests.support.machine import NGINX
from tests.support.served import serve
from tests.support.waiting import wait_for

SAMPLES = Path("deploy/nginx")
MAIN = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log; worker_rlimit_nofile 1024;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/proxied; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    include {folder}/arena.conf;
}}
"""
LOAD_BALANCER = (
    ("# set_real_ip_from 10.0.0.0/8", "set_real_ip_from 127.0.0.1"),
    ("# real_ip_header", "real_ip_header"),
    ("# real_ip_recursive", "real_ip_recursive"),
)
"""Changes of the sample, as its comments say, for a load balancer that has the address of the tests."""


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def proxied(folder: Path, arena: int, *, behind_load_balancer: bool = False) -> Iterator[int]:
    """Start nginx with the sample in front of an arena; yield its HTTPS port."""
    port = free_port()
    pem = certificate_for("arena.example", folder).read_bytes()
    for name in ("fullchain.pem", "privkey.pem"):
        (folder / name).write_bytes(pem)
    sample = (SAMPLES / "arena.conf").read_text()
    for there, here in (
        ("127.0.0.1:8000", f"127.0.0.1:{arena}"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen [::]:80;", ""),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("listen [::]:443 ssl;", ""),
        ("/var/log/nginx", str(folder)),
        *(LOAD_BALANCER if behind_load_balancer else ()),
        ("/etc/ssl/arena", str(folder)),
        ("include arena-proxy.conf", f"include {folder}/arena-proxy.conf"),
    ):
        assert there in sample
        sample = sample.replace(there, here)
    (folder / "arena.conf").write_text(sample)
    shutil.copy(SAMPLES / "arena-proxy.conf", folder)
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    assert NGINX
    command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    assert "successful" in subprocess.run([*command, "-t"], capture_output=True, text=True, check=False).stderr
    nginx = start(command, log=folder / "out.log", folder=folder)
    try:
        wait_for(lambda: nginx.poll() is not None or listens(port), "nginx starts")
        assert nginx.poll() is None, (folder / "out.log").read_text() + (folder / "error.log").read_text()
        yield port
    finally:
        stop(nginx, [])


@contextmanager
def visitor(folder: Path, port: int) -> Iterator[httpx.Client]:
    trusting = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    extensions = {"sni_hostname": "arena.example"}
    with httpx.Client(verify=trusting, base_url=f"https://127.0.0.1:{port}", timeout=20) as client:
        client.headers["Host"] = "arena.example"
        client.event_hooks["request"] = [lambda request: request.extensions.update(extensions)]
        yield client


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_shipped_nginx_configuration_limits_request_bodies_and_forwards_client_ip_addresses(
    tmp_path: Path, settings: Any
) -> None:
    settings.PROXIES, settings.ALLOWED_HOSTS = 1, ["arena.example", "127.0.0.1"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.THROTTLES = {**settings.THROTTLES, "anonymous": "3/hour"}
    with serve() as arena, proxied(tmp_path, arena.port) as port, visitor(tmp_path, port) as client:
        assert client.get("/write-a-bot/").status_code == 200
        for path, limit in (*ours.BODY_BYTES.items(), *ours.BODY_BYTES_UNDER.items()):
            assert client.post(path, content=b"x" * (limit + 1025)).status_code == 413
            assert client.post(path, content=b"x" * limit).status_code != 413
        assert not any((tmp_path / "bodies").rglob("*[0-9]"))
        forged = [client.get("/api/v1/matches/", headers={"X-Forwarded-For": f"6.6.6.{n}"}) for n in range(4)]
        assert [answer.status_code for answer in forged] == [200, 200, 200, 429]
        assert shakes_hands(client, port, LiveMatch().path)
        for address in ("/invitation/SECRET/", "/zh-hant/invitation/SECRET/", "/sign-in/?code=SECRET&state=SECRET"):
            client.get(address)
    logged = (tmp_path / "access.log").read_text()
    assert {"GET /invitation/...", "GET /zh-hant/invitation/...", "GET /sign-in/?..."} <= set(logged.split('"'))
    assert "SECRET" not in logged


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_visitors_behind_a_load_balancer_that_the_nginx_configuration_names_have_allowances_of_their_own(
    tmp_path: Path, settings: Any
) -> None:
    settings.PROXIES, settings.ALLOWED_HOSTS = 1, ["arena.example", "127.0.0.1"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.THROTTLES = {**settings.THROTTLES, "anonymous": "1/hour"}
    with (
        serve() as arena,
        proxied(tmp_path, arena.port, behind_load_balancer=True) as port,
        visitor(tmp_path, port) as client,
    ):
        asked = ["6.6.6.1", "6.6.6.2", "6.6.6.1"]
        answers = [client.get("/api/v1/matches/", headers={"X-Forwarded-For": address}) for address in asked]
        assert [answer.status_code for answer in answers] == [200, 200, 429]


def shakes_hands(client: httpx.Client, port: int, path: str) -> bool:
    """Return True if a socket opens through the proxy."""
    shake = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    shake |= {
        "Sec-WebSocket-Key": "x3JJHMbDL1EzLkh9GBhXDw==",
        "Origin": "https://127.0.0.1",
    }
    with client.stream("GET", path, headers=shake) as answer:
        return answer.status_code == 101


def test_large_request_bodies_are_accepted_only_by_urls_that_receive_files_or_bot_lists() -> None:
    names = {resolve(path.replace("*", "night")).url_name for path in ours.BODY_BYTES}
    forms = {"account", "desk-entries", "desk-logo", "branding_brand_add", "branding_brand_change"}
    assert names == {*forms, "bot-upload", "league-act-enlist", "league-logo-api"}
    paths = ("/leagues/night/desk/entries/", "/leagues/night/desk/", "/sign-in/", "/staff/branding/brand/")
    assert [max_body_bytes(path) // 1024 for path in paths] == [576, 128, 16, 16]


def test_staff_can_send_a_logo_of_the_maximum_size_when_they_add_or_change_the_brand() -> None:
    for page, arguments in (("add", ()), ("change", (7,))):
        path = reverse(f"admin:branding_brand_{page}", args=arguments)
        assert max_body_bytes(path) >= MAX_UPLOAD_BYTES + FORM_BYTES, path
