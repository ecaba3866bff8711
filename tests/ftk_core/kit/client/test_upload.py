"""`ftk upload` names the remedy for each failure and never prints HTML."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.client.http_client import poll_until, request_json

GOOD = "from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
PAGE = b"<!doctype html><html><body><h1>Not Found</h1></body></html>"


@contextmanager
def answering(code: int, body: bytes, **headers: str) -> Iterator[str]:
    """Serve the same response to every request, as unrelated server software might."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST  # noqa: N815 - the name is the library's

        def log_message(self, *_args: object) -> None:
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "kept"))


def upload(bot: Path | str, *words: str, name: str = "mybot", token: str = "abc123", server: str = "") -> str:
    said = ["--server", server] if server else []
    command = ["upload", "pig", str(bot), "--bot", name, "--token", token, *said, *words]
    done = CliRunner().invoke(app, command, env={"FTK_SERVER": None, "FTK_TOKEN": None})
    assert done.exit_code == 2, done.output
    assert done.output.count("\n") == 1
    assert "<" not in done.output
    assert "Traceback" not in done.output
    return done.output


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    (tmp_path / "mybot.py").write_text(GOOD)
    return tmp_path / "mybot.py"


def test_an_upload_without_a_token_to_an_unreachable_server_prints_the_server_address(bot: Path) -> None:
    said = upload(bot, token="")
    assert "no arena answers at http://127.0.0.1:8000" in said
    assert "--server or FTK_SERVER" in said


@pytest.mark.parametrize("token", ["two words", "ünïcode", "line\nend", "a:b"])
def test_a_malformed_token_is_not_sent_to_the_server(bot: Path, token: str) -> None:
    assert "this is not a token" in upload(bot, token=token)


@pytest.mark.parametrize("name", ["My Bot", "", "-bot", "b" * 41, "bot\n", "bot/../x"])
def test_an_invalid_bot_name_is_refused_with_the_rules_for_names(bot: Path, name: str) -> None:
    assert "1 to 40 of a-z, 0-9 and -" in upload(bot, name=name)


@pytest.mark.parametrize("path", ["nothing.py", "no/such/folder"])
def test_the_upload_of_a_path_that_does_not_exist_prints_that_path(tmp_path: Path, path: str) -> None:
    assert f"there is no file or folder '{tmp_path / path}'" in upload(tmp_path / path)


@pytest.mark.parametrize(
    "server", ["127.0.0.1:8000", "ftp://arena", "http://", "http://[", "http://a b", "http://x:port", "http://x:0"]
)
def test_an_invalid_server_address_is_refused_with_an_example(bot: Path, server: str) -> None:
    said = upload(bot, server=server)
    assert "http://127.0.0.1:8000" in said
    assert "--server or FTK_SERVER" in said


def test_an_unreachable_server_is_reported_as_probably_not_running(bot: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        said = upload(bot, server=f"http://127.0.0.1:{free.getsockname()[1]}")
    assert "check that it is running" in said


@pytest.mark.parametrize(
    ("code", "body"), [(200, PAGE), (404, PAGE), (500, PAGE), (403, PAGE), (200, b"[1]"), (200, b"{}"), (400, b"[]")]
)
def test_an_upload_to_other_server_software_is_reported_without_printing_its_html(
    bot: Path, code: int, body: bytes
) -> None:
    with answering(code, body) as server:
        said = upload(bot, server=server)
    assert ("the server does not know this token" if code == 403 else "not as an arena does") in said


def test_an_upload_with_an_unknown_token_is_reported_with_the_remedy(bot: Path) -> None:
    with answering(401, json.dumps({"detail": "Invalid token."}).encode()) as server:
        assert f"make a new one at {server}/account/" in upload(bot, server=server)


def test_a_rate_limited_upload_says_when_to_try_again(bot: Path) -> None:
    with answering(429, PAGE, Retry_After="17") as server:
        assert "try again in 17 s" in upload(bot, server=server)


def test_polling_continues_after_a_server_was_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = [(502, PAGE), (503, b'{"detail": "an upgrade"}'), (200, b'{"status": "active"}')]
    pauses = list[float]()

    def request(_url: str, _token: str) -> dict[str, str]:
        code, body = failing.pop(0)
        with answering(code, body) as server:
            return dict(request_json(server))

    monkeypatch.setattr("ftk_core.kit.client.http_client.request_json", request)
    monkeypatch.setattr("time.sleep", pauses.append)
    answer = poll_until("", "", {}, lambda answer: answer.get("status") == "active", pause=2)
    assert (answer, pauses) == ({"status": "active"}, [2, 4, 4])


def test_an_upload_that_is_redirected_prints_the_new_address_of_the_server(bot: Path) -> None:
    with answering(308, PAGE, Location="https://arena.example/") as server:
        assert "https://arena.example/" in upload(bot, server=server)


def test_an_upload_prints_the_names_of_fields_refused_by_the_server(bot: Path) -> None:
    with answering(400, json.dumps({"game": ["there is no such game"]}).encode()) as server:
        assert "400: game: there is no such game" in upload(bot, server=server)


def test_the_upload_of_a_refused_bot_prints_the_reason_and_the_compilers_output(bot: Path) -> None:
    version = {"id": 1, "status": "refused", "number": 1, "digest": "0" * 64, "reason": "it does not compile"}
    body = json.dumps({**version, "trial_log": "error: main.rs:2 says nonsense"}).encode()
    with answering(201, body) as server:
        words = ["upload", "pig", str(bot), "--bot", "mybot", "--token", "abc123", "--server", server]
        done = CliRunner().invoke(app, words)
    assert done.exit_code == 1, done.output
    assert "main.rs:2 says nonsense" in done.output
    assert "it does not compile" in done.output
