"""A stored token is readable by its owner only and belongs to one server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ftk_core.kit.client.token_store import TokenStoreError, delete_token, load_token, store_token

HERE, THERE = "http://127.0.0.1:8000", "https://arena.example"
RING = """
import json
from pathlib import Path
from keyring.backend import KeyringBackend

STORE = Path(__file__).with_name("ring.json")

class Ring(KeyringBackend):
    priority = 5

    def _all(self):
        return json.loads(STORE.read_text()) if STORE.exists() else {}

    def get_password(self, service, username):
        return self._all().get(service + " " + username)

    def set_password(self, service, username, password):
        STORE.write_text(json.dumps({**self._all(), service + " " + username: password}))

    def delete_password(self, service, username):
        left = self._all()
        del left[service + " " + username]
        STORE.write_text(json.dumps(left))
"""
"""Source of a backend for the package `keyring`, as desktop systems provide one."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    return tmp_path


def test_without_a_keyring_the_token_file_is_readable_by_its_owner_only() -> None:
    before = os.umask(0)
    try:
        file = Path(store_token(HERE, "one"))
    finally:
        os.umask(before)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == ["tokens.json"]


def test_tokens_are_stored_separately_for_each_server() -> None:
    store_token(HERE, "one")
    file = Path(store_token(THERE, "two"))
    store_token(HERE, "three")
    assert (load_token(HERE), load_token(THERE), load_token("http://other")) == ("three", "two", "")
    delete_token(HERE)
    assert (load_token(HERE), load_token(THERE)) == ("", "two")
    delete_token(THERE)
    assert not file.exists()


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_token_file_readable_by_other_users_is_not_used(mode: int) -> None:
    file = Path(store_token(HERE, "one"))
    file.chmod(mode)
    with pytest.raises(TokenStoreError, match=r"can be read by others.*chmod 600"):
        load_token(HERE)


@pytest.mark.parametrize("text", ["{", "\xff"])
def test_a_broken_token_file_is_reported_with_its_path_and_the_remedy(text: str) -> None:
    file = Path(store_token(HERE, "one"))
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(TokenStoreError, match=re.escape(str(file)) + " cannot be read.*remove it"):
        load_token(HERE)


def test_a_token_that_cannot_be_stored_is_reported(folder: Path) -> None:
    (folder / "config").write_text("no folder")
    with pytest.raises(TokenStoreError, match="FTK_TOKEN"):
        store_token(HERE, "one")


@pytest.mark.slow
def test_with_a_system_keyring_the_token_is_stored_in_the_keyring_and_not_in_a_file(folder: Path) -> None:
    (folder / "ring.py").write_text(RING)
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHON_KEYRING_BACKEND": "ring.Ring"}

    def run_line(line: str) -> str:
        code = f"from ftk_core.kit.client.token_store import *; print({line})"
        return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout

    store_token(HERE, "from before")
    assert run_line(f"store_token({HERE!r}, 'secret')") == "the keyring\n"
    assert not (folder / "config/ftk/tokens.json").exists()
    assert json.loads((folder / "ring.json").read_text()) == {f"ftk {HERE}": "secret"}
    assert run_line(f"load_token({HERE!r})") == "secret\n"
    run_line(f"delete_token({HERE!r})")
    assert json.loads((folder / "ring.json").read_text()) == {}
