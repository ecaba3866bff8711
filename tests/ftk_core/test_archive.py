"""A canonical tar file: readable by any program, and with only one encoding."""

from __future__ import annotations

import io
import tarfile

import pytest
from hypothesis import given, strategies as st

from ftk_core.tar_files import File, InvalidArchiveError, pack, unpack

FILES = st.lists(
    st.tuples(st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8})?", fullmatch=True), st.binary(max_size=1100)), max_size=4
)


def packed(files: list[File]) -> bytes:
    return b"".join(pack(files))


@pytest.mark.slow
@given(FILES)
def test_files_packed_into_an_archive_are_unpacked_unchanged(files: list[File]) -> None:
    assert list(unpack(io.BytesIO(packed(files)))) == files


def test_an_archive_can_be_read_as_a_tar_file() -> None:
    with tarfile.open(fileobj=io.BytesIO(packed([("a", b"one"), ("b/c", b"two" * 999)]))) as archive:
        assert archive.getnames() == ["a", "b/c"]
        assert archive.getmember("b/c").size == 2997


@pytest.mark.slow
@given(FILES, st.data())
def test_a_changed_byte_in_an_archive_never_changes_the_name_of_a_file_unnoticed(
    files: list[File], data: st.DataObject
) -> None:
    whole = bytearray(packed(files))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = list(unpack(io.BytesIO(whole)))
    except InvalidArchiveError:
        return
    assert [name for name, _ in found] == [name for name, _ in files]
    assert found != files


@pytest.mark.slow
@given(FILES, st.data())
def test_a_truncated_or_extended_archive_is_refused(files: list[File], data: st.DataObject) -> None:
    whole = packed(files)
    for forged in (whole[: data.draw(st.integers(0, len(whole) - 1))], whole + b"\0", whole + whole):
        with pytest.raises(InvalidArchiveError):
            list(unpack(io.BytesIO(forged)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mtime": 1}, "a: has a header with other fields than name and size"),
        ({"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "a: has a header with other fields"),
        ({"uname": "root"}, "a: has a header with other fields"),
        ({"size": 1 << 32}, "a: has a header with other fields"),
    ],
)
def test_tar_headers_with_metadata_other_than_names_and_sizes_are_refused(change: dict[str, object], said: str) -> None:
    entry = tarfile.TarInfo("a")
    for name, value in change.items():
        setattr(entry, name, value)
    forged = entry.tobuf(tarfile.USTAR_FORMAT) + packed([])
    with pytest.raises(InvalidArchiveError, match=said):
        list(unpack(io.BytesIO(forged)))


def test_the_error_about_a_truncated_archive_names_the_last_file() -> None:
    whole = packed([("a", b"one"), ("b", b"two")])
    with pytest.raises(InvalidArchiveError, match="what follows a: is cut off"):
        list(unpack(io.BytesIO(whole[:1030])))
    with pytest.raises(InvalidArchiveError, match="b: is cut off"):
        list(unpack(io.BytesIO(whole[:1537])))
