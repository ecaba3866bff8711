"""``manage.py up``: it starts everything, restarts dead children, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from tests.support.arena import STARTED, Arena
from tests.support.footprint import MAX_BYTES_AT_REST, MAX_PROCESSES_AT_REST, list_process_tree, measure_memory
from tests.support.prepared_leagues import build_environment
from tests.support.waiting import wait_for


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """An arena that was started in an empty folder, shared by all tests; it leaves nothing after Ctrl-C."""
    arena = Arena(tmp_path_factory.mktemp("up") / "var", "--web", "2")
    try:
        yield arena.wait_until_open()
        assert arena.process.poll() is None, arena.read_output()
        arena.process.send_signal(signal.SIGINT)
        assert arena.process.wait(STARTED) == 0, arena.read_output()
        assert arena.processes() == []
    finally:
        if arena.process.poll() is None:
            arena.process.terminate()
            arena.process.wait(STARTED)
        arena.wait_until_gone()


@pytest.mark.nightly
def test_the_up_command_starts_all_processes_in_an_empty_data_folder(arena: Arena) -> None:
    assert arena.answers()
    for word in ("bin/postgres", "matches@", "trials@", "house@", "outside@", "deploy.web"):
        wait_for(lambda word=word: arena.processes(word), word)
    wait_for(lambda: len(arena.processes("deploy.web")) == 2, "two web processes")


@pytest.mark.nightly
def test_an_idle_server_has_at_most_25_processes_and_600_megabytes(arena: Arena) -> None:
    """This arena has a second web process, which is not counted."""
    wait_for(lambda: len(list_process_tree(arena.process.pid)) <= MAX_PROCESSES_AT_REST + 1, "rest", STARTED)
    assert measure_memory(arena.process.pid) <= MAX_BYTES_AT_REST


@pytest.mark.nightly
@pytest.mark.parametrize("database", ["its own", "the first one's"])
def test_a_second_server_in_the_same_data_folder_is_refused_whether_its_database_is_embedded_or_shared(
    arena: Arena, database: str
) -> None:
    second = Arena(arena.var, **({"DATABASE_URL": arena.database} if database != "its own" else {}))
    assert second.process.wait(STARTED) == 2
    assert "is in use by another arena" in second.read_output()
    assert "FTK_VAR" in second.read_output()
    assert second.read_output().count("\n") == 1
    assert arena.answers()


@pytest.mark.nightly
def test_a_management_command_finds_the_database_of_the_running_server(arena: Arena) -> None:
    made = subprocess.run(
        [sys.executable, "manage.py", "token", "ada"],
        env=build_environment(arena.var),
        capture_output=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr


@pytest.mark.nightly
def test_the_invitation_link_of_the_first_organiser_appears_in_the_terminal_but_not_in_the_log(arena: Arena) -> None:
    wait_for(lambda: "/invitation/" in arena.read_output() or arena.process.poll() is not None, "the link", STARTED)
    (link,) = re.findall(r"http://\S+/invitation/\S+", arena.read_output())
    with httpx.Client(base_url=f"http://127.0.0.1:{arena.port}", follow_redirects=True) as browser:

        def sent(path: str, **words: str) -> httpx.Response:
            page = browser.get(path)
            (secret,) = set(re.findall(r'csrfmiddlewaretoken" value="(\w+)"', page.text)[-1:])
            return browser.post(page.url, data={"csrfmiddlewaretoken": secret, **words})

        assert link.startswith(str(browser.base_url))
        made = sent(link, username="olga", email="olga@example.com", password1="a long enough one")
        assert made.url.path == "/account/"
        assert "/invitations/" in made.text
        assert sent("/password/", email="nobody@example.com").url.path == "/password/confirm/"
    wait_for(lambda: "To: nobody@example.com" in arena.read_output(), "the mail")
    logs = "".join(log.read_text() for log in (arena.var / "logs").glob("*.log"))
    assert "To: nobody" not in logs
    assert link.split("/")[-2] not in logs


@pytest.mark.nightly
def test_a_killed_child_process_is_restarted(arena: Arena) -> None:
    for word in ("deploy.web", "matches@"):
        old = arena.started(word)[0]
        os.kill(old, signal.SIGKILL)
        wait_for(lambda word=word, old=old: set(arena.started(word)) - {old}, f"{word} is back")
    wait_for(lambda: "matches ended (-9)" in arena.read_output(), "the supervisor says so")
