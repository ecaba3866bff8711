"""`manage.py trial` takes a file through all that an upload meets, in the cage, and stores nothing."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from bots.models import Package
from tests.machine import have

GOOD = "from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
CURIOUS = "import os\nos.listdir('/')\nopen('/etc/passwd').read()\n"
C = '#include "ask.h"\nint main() { return 0; }\n'


def zipped(**files: str) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return body.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "body"), [("mybot.py", GOOD.encode()), ("mybot.zip", zipped(bot_py=GOOD))])
def test_a_good_bot_would_be_taken(tmp_path: Path, name: str, body: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(body)
    call_command("trial", "pig", tmp_path / name)
    said = capsys.readouterr().out
    assert "played to the end" in said
    assert "would be taken" in said
    assert not Package.objects.exists()


@pytest.mark.parametrize(
    ("name", "body", "why"),
    [
        ("curious.py", CURIOUS.encode(), "refused: .*crashed"),
        ("empty.py", b"", "empty"),
        ("rules.zip", b"PK nonsense", "zip"),
    ],
)
def test_a_bad_one_is_refused_with_the_reason(tmp_path: Path, name: str, body: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(body)
    with pytest.raises(CommandError, match=why):
        call_command("trial", "pig", tmp_path / name)


@pytest.mark.skipif(not have("bwrap", "cc"), reason="there is no compiler, or nothing to contain it")
def test_a_source_that_does_not_compile_is_refused_with_the_compilers_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.zip").write_bytes(zipped(bot_c=C, bot_toml='command = "c bot.c"\n'))
    with pytest.raises(CommandError, match="does not compile"):
        call_command("trial", "pig", tmp_path / "c.zip")
    assert "ask.h" in capsys.readouterr().out
