"""A token that is kept is for its owner's eyes only, belongs to one server, and goes where the system keeps secrets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ftk_core.kit.keeping import NotKept, forget, keep, kept_for

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
"""A place that the package `keyring` keeps secrets in, as a desktop brings one."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    return tmp_path


def test_without_a_keyring_a_token_is_in_a_file_that_only_its_owner_can_read() -> None:
    before = os.umask(0)
    try:
        file = Path(keep(HERE, "one"))
    finally:
        os.umask(before)
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == ["tokens.json"]


def test_each_server_has_its_own() -> None:
    keep(HERE, "one")
    file = Path(keep(THERE, "two"))
    keep(HERE, "three")
    assert (kept_for(HERE), kept_for(THERE), kept_for("http://other")) == ("three", "two", "")
    forget(HERE)
    assert (kept_for(HERE), kept_for(THERE)) == ("", "two")
    forget(THERE)
    assert not file.exists()


def test_a_file_that_others_can_read_is_not_read() -> None:
    file = Path(keep(HERE, "one"))
    file.chmod(0o640)
    with pytest.raises(NotKept, match=r"can be read by others.*chmod 600"):
        kept_for(HERE)


@pytest.mark.parametrize("text", ["{", "\xff"])
def test_a_file_that_is_broken_is_named_with_the_remedy(text: str) -> None:
    file = Path(keep(HERE, "one"))
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(NotKept, match=r"cannot be read.*remove it"):
        kept_for(HERE)


def test_where_no_file_can_be_a_token_is_not_kept_and_it_says_so(folder: Path) -> None:
    (folder / "config").write_text("no folder")
    with pytest.raises(NotKept, match="FTK_TOKEN"):
        keep(HERE, "one")


def test_where_the_system_has_a_keyring_it_is_there_and_in_no_file(folder: Path) -> None:
    (folder / "ring.py").write_text(RING)
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHON_KEYRING_BACKEND": "ring.Ring"}

    def told(line: str) -> str:
        code = f"from ftk_core.kit.keeping import *; print({line})"
        return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout

    keep(HERE, "from before")
    assert told(f"keep({HERE!r}, 'secret')") == "the keyring\n"
    assert not (folder / "config/ftk/tokens.json").exists()
    assert json.loads((folder / "ring.json").read_text()) == {f"ftk {HERE}": "secret"}
    assert told(f"kept_for({HERE!r})") == "secret\n"
    told(f"forget({HERE!r})")
    assert json.loads((folder / "ring.json").read_text()) == {}
