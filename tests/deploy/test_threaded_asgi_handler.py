"""The ASGI handler: one thread call per request, a queue that slow requests leave, and static files."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from deploy.http import threaded_asgi_handler
from deploy.http.health_probes import LIVENESS_PATH
from deploy.http.threaded_asgi_handler import QUICK_REQUESTS, ThreadedASGIHandler
from tests.support.waiting import wait_for

RELEASED, STARTED = Event(), list[str]()


def wait(_request: HttpRequest, name: str) -> HttpResponse:
    STARTED.append(name)
    assert RELEASED.wait(30)
    return HttpResponse(name)


def answer(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("quick")


def repeat(request: HttpRequest) -> HttpResponse:
    return HttpResponse("quick", headers={"Text": request.POST["text"].encode("unicode_escape").decode()})


urlpatterns = [path("wait/<name>/", wait), path("quick/", answer), path("repeat/", csrf_exempt(repeat))]
Get = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


@pytest.fixture
def get(settings: Any, transactional_db: None) -> Get:
    """Return a function that sends a GET request to a handler whose views are those of this module."""
    settings.ROOT_URLCONF = __name__
    handler = ThreadedASGIHandler()
    RELEASED.clear()
    STARTED.clear()

    async def send(address: str, body: bytes = b"", kind: str = "") -> dict[str, Any]:
        scope = {
            "type": "http", "method": "POST" if body else "GET", "path": address, "query_string": b"",
            "headers": [
                (b"host", b"localhost"), (b"content-type", kind.encode()), (b"content-length", b"%d" % len(body)),
            ],
            "client": ("127.0.0.1", 1), "http_version": "1.1",
        }  # fmt: skip
        client = ApplicationCommunicator(handler, scope)
        await client.send_input({"type": "http.request", "body": body, "more_body": False})
        start: dict[str, Any] = await client.receive_output(30)
        await client.wait(30)
        return start

    return send


def headers(response: dict[str, Any]) -> dict[str, str]:
    return {name.decode().lower(): value.decode() for name, value in response["headers"]}


async def start_waiting_requests(get: Get, number: int) -> list[asyncio.Task[dict[str, Any]]]:
    """Send requests that wait; return their tasks once the maximum number of quick requests has reached the view."""
    tasks = [asyncio.create_task(get(f"/wait/{name}/")) for name in range(number)]
    await asyncio.to_thread(wait_for, lambda: len(STARTED) >= min(number, QUICK_REQUESTS), "the first views", 30)
    return tasks


async def end(tasks: list[asyncio.Task[dict[str, Any]]]) -> None:
    RELEASED.set()
    assert [(await task)["status"] for task in tasks] == [200] * len(tasks)


async def test_the_middleware_and_the_view_of_a_request_run_in_one_thread_pool_call(
    get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    await get("/quick/")  # do the work of the first request before counting
    calls, submit = list[object](), ThreadPoolExecutor.submit

    def count(self: ThreadPoolExecutor, function: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append(function)
        return submit(self, function, *args, **kwargs)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", count)
    assert (await get("/quick/"))["status"] == 200
    assert 1 <= len(calls) <= 3  # the other calls: the signal of the started request, and the end of the response


@pytest.mark.slow
async def test_a_request_waits_while_the_maximum_number_of_quick_requests_is_running(
    get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threaded_asgi_handler, "QUICK_SECONDS", 1000)
    tasks = await start_waiting_requests(get, QUICK_REQUESTS)
    late = asyncio.create_task(get("/quick/"))
    done, _ = await asyncio.wait([late], timeout=0.3)
    assert not done
    await end(tasks)
    assert (await late)["status"] == 200


@pytest.mark.slow
async def test_requests_that_have_become_slow_do_not_delay_other_requests(get: Get) -> None:
    tasks = await start_waiting_requests(get, 4 * QUICK_REQUESTS)
    assert (await get("/quick/"))["status"] == 200
    assert not [task for task in tasks if task.done()]
    await end(tasks)


def test_the_asgi_handler_works_in_several_event_loops_one_after_another(get: Get) -> None:
    async def send_more_requests_than_run_at_once() -> list[int]:
        return [answer["status"] for answer in await asyncio.gather(*(get("/quick/") for _ in range(5)))]

    assert [asyncio.run(send_more_requests_than_run_at_once()) for _ in range(2)] == [[200] * 5] * 2


async def test_health_probes_do_not_wait_for_other_requests(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threaded_asgi_handler, "QUICK_SECONDS", 1000)
    tasks = await start_waiting_requests(get, QUICK_REQUESTS)
    assert (await get(LIVENESS_PATH))["status"] == 200
    await end(tasks)


async def test_static_files_have_the_security_headers_of_pages(get: Get) -> None:
    page, file = await get("/quick/"), await get("/static/admin/css/base.css")
    assert file["status"] == 200
    assert headers(file)["content-type"].startswith("text/css")
    for name in ("x-content-type-options", "referrer-policy", "cross-origin-opener-policy"):
        assert headers(file)[name] == headers(page)[name]


@pytest.mark.parametrize("codec", ["unicode_escape", "utf-7", "idna", "undefined", "base64", "nonsense", "a\0b"])
async def test_a_form_is_read_as_utf_8_even_if_the_request_names_another_encoding(get: Get, codec: str) -> None:
    body = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\\ud800\xc3\xa9\r\n--x--\r\n'
    answered = await get("/repeat/", body, f"multipart/form-data; boundary=x; charset={codec}")
    assert (answered["status"], headers(answered)["text"]) == (200, "\\\\ud800\\xe9")


@pytest.mark.slow
def test_the_protocols_of_the_web_server_can_be_imported_before_django_is_set_up() -> None:
    imports = "import deploy.http.http_protocol, deploy.http.websocket_protocol"
    subprocess.run([sys.executable, "-c", imports], check=True)
