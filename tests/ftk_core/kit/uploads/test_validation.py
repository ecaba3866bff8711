"""An upload is validated in memory, and an invalid one is refused with the reason."""

from __future__ import annotations

import io
import zipfile

import pytest

from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import UploadLimits
from ftk_core.kit.uploads.upload_validation import read_upload

GOOD = b"print('hello')\n"


def archive(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, content)
    return buffer.getvalue()


def test_a_single_file_is_accepted_as_a_bot() -> None:
    upload = read_upload("greedy.py", GOOD)
    assert (upload.files, upload.command) == ((("bot.py", GOOD),), ("python", "bot.py"))


def test_an_archive_with_bot_py_is_accepted_as_a_bot() -> None:
    upload = read_upload("bot.zip", archive({"bot.py": GOOD, "lib/tables.json": b"{}"}))
    assert [path for path, _ in upload.files] == ["bot.py", "lib/tables.json"]


def test_the_command_to_start_a_bot_is_read_from_the_manifest() -> None:
    upload = read_upload("b.zip", archive({"bot.toml": b'command = "python src/main.py fast"', "src/main.py": GOOD}))
    assert upload.command == ("python", "src/main.py", "fast")


def test_the_digest_of_an_upload_covers_the_files_and_not_the_archive_format() -> None:
    one = read_upload("a.zip", archive({"bot.py": GOOD, "x.txt": b"x"}))
    other = read_upload("b.zip", archive({"x.txt": b"x", "bot.py": GOOD}))
    changed = [{"bot.py": GOOD}, {"bot.py": GOOD, "x.txt": b"y"}, {"bot.py": GOOD, "y.txt": b"x"}]
    digests = {read_upload("bot.zip", archive(files)).digest for files in changed}
    assert one.digest == other.digest not in digests
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"bot.toml": b'command = "python ./bot.py"'}, "runs a .py file of the archive, and './bot.py' is none"),
        ({"bot.toml": b'command = "node bot.py"'}, "'node' runs a .js file of the archive, and 'bot.py' is none"),
        ({"my/bot.toml": b'command = "python main.py"'}, "but 'my/bot.toml' in a folder"),
    ],
)
def test_the_refusal_of_an_archive_names_the_misplaced_manifest_or_the_missing_program(
    files: dict[str, bytes], reason: str
) -> None:
    with pytest.raises(InvalidUploadError) as refusal:
        read_upload("bot.zip", archive({"bot.py" if "bot.toml" in files else "main.py": GOOD, **files}))
    assert reason in str(refusal.value)


def test_a_manifest_may_begin_with_a_byte_order_mark() -> None:
    manifest = b'\xef\xbb\xbfcommand = "python main.py"\r\n'
    assert read_upload("bot.zip", archive({"main.py": GOOD, "bot.toml": manifest})).command == ("python", "main.py")


def test_an_upload_of_the_maximum_size_is_accepted_and_a_larger_one_refused() -> None:
    limits = UploadLimits(packed_bytes=100)
    read_upload("bot.py", b"#" * 100, limits)
    with pytest.raises(InvalidUploadError, match="101 bytes"):
        read_upload("bot.py", b"#" * 101, limits)
