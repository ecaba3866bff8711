"""Binary data files of bots are checked by their format, counted by a quota of their own, and never executed."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ftk_core.kit.uploads.data_file_validation import DATA_SUFFIXES, find_data_flaw
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_limits import MIB, UPLOAD
from ftk_core.kit.uploads.upload_packing import pack_bot
from ftk_core.kit.uploads.upload_validation import read_upload

BOT = b"print('hello')\n"
SAFETENSORS = json.dumps({"w": {"dtype": "F16", "shape": [2, 2], "data_offsets": [0, 8]}}).encode()


def saved(array: Any, **options: Any) -> bytes:
    body = io.BytesIO()
    np.save(body, array, **options)
    return body.getvalue()


def saved_together(**arrays: Any) -> bytes:
    body = io.BytesIO()
    np.savez_compressed(body, **arrays)
    return body.getvalue()


def archive(**files: bytes) -> bytes:
    """Return an archive with a bot and files, with an underscore for the dot in their names."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("bot.py", BOT)
        for name, content in files.items():
            target.writestr(name.replace("_", "."), content)
    return body.getvalue()


def tensors(header: bytes, numbers: bytes = bytes(8)) -> bytes:
    return struct.pack("<Q", len(header)) + header + numbers


def npy(header: object) -> bytes:
    """Return an .npy file with an arbitrary header and no numbers."""
    text = repr(header).encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text


NUMBERS = np.arange(12, dtype=np.float16).reshape(3, 4)


@pytest.mark.parametrize(
    "files",
    [
        {"weights_npy": saved(NUMBERS)},
        {"weights_npy": saved(np.array([True, False]))},
        {"weights_npy": saved(np.float32(3))},
        {"weights_npz": saved_together(one=NUMBERS, two=NUMBERS)},
        {"weights_safetensors": tensors(SAFETENSORS)},
        {"weights_bin": NUMBERS.tobytes()},
    ],
)
def test_an_uploaded_data_file_with_arrays_of_plain_numbers_is_accepted(files: dict[str, bytes]) -> None:
    upload = read_upload("bot.zip", archive(**files))
    ((name, content),) = files.items()
    assert dict(upload.files)[name.replace("_", ".")] == content
    assert upload.command == ("python", "bot.py")


@pytest.mark.parametrize(
    ("name", "content", "flaw"),
    [
        ("w.npy", saved(np.array([{}], dtype=object), allow_pickle=True), "objects or records"),
        ("w.npy", saved(np.zeros(2, dtype=[("a", "i4")])), "objects or records"),
        ("w.npy", saved(NUMBERS)[:-1], "has 23 bytes of numbers, and its header says 24"),
        ("w.npy", saved(NUMBERS) + b"more", "has 28 bytes of numbers"),
        ("w.npy", b"\x93NUMPY\1\0\xff\xff{}", "not a .npy file that can be read"),
        ("w.npy", b"\x93NUMPY\1\0\4\0" + b"((((", "not a .npy file that can be read"),
        ("w.npy", b"\x93NUM", "not a .npy file that can be read"),
        ("w.npy", b"\x93NUMPY", "not a .npy file that can be read"),
        ("w.npy", b"\x93NUMPY\1\0\4", "not a .npy file that can be read"),
        ("w.npy", npy({"descr": "<f4", "shape": [1 << 39] * 600}), "not a .npy file that can be read"),
        ("w.npy", b"x = 1", "not a .npy file that can be read"),
        ("w.npz", b"weights", "not a .npz file that can be read"),
        ("w.safetensors", b"\xff" * 20, "not a .safetensors file that can be read"),
        ("w.safetensors", tensors(SAFETENSORS, bytes(7)), "beyond its end"),
        ("w.safetensors", tensors(b'{"\xff": 3}'), "not a .safetensors file that can be read"),
        ("w.safetensors", tensors(b'{"w": 3}'), "not a .safetensors file that can be read"),
        ("w.bin", b"\x7fELF\2\1\1", "a program"),
        ("w.bin", b"#!/bin/sh\n", "a program"),
        ("w.bin", b"MZ\x90\0", "a program"),
        ("w.bin", archive(), "an archive"),
        ("w.bin", b"\x80\4\x95.", "a pickle"),
    ],
)
def test_an_uploaded_data_file_in_a_wrong_format_is_refused_with_the_reason_and_a_remedy(
    name: str, content: bytes, flaw: str
) -> None:
    assert flaw in find_data_flaw(name, content)
    with pytest.raises(InvalidUploadError, match=r"save it as \.npy") as refusal:
        read_upload("bot.zip", archive(**{name.replace(".", "_"): content}))
    assert refusal.value.code == "not_data"
    assert flaw in str(refusal.value)


HEADERS = st.dictionaries(
    st.sampled_from(["descr", "shape", "w", "__metadata__"]),
    st.sampled_from(["<f4", "|O", "?"])
    | st.lists(st.integers())
    | st.integers()
    | st.dictionaries(st.text(), st.text()),
)
VALID = st.sampled_from([saved(NUMBERS), saved_together(a=NUMBERS), tensors(SAFETENSORS)])
CONTENTS = st.one_of(
    st.binary(),
    st.builds(lambda content, size: content[:size], VALID, st.integers(0, 12)),
    st.builds(lambda key: tensors(b'{"' + key + b'": 3}'), st.binary(max_size=4)),
    st.builds(lambda header: tensors(json.dumps(header).encode()), HEADERS),
    st.builds(npy, HEADERS | st.text()),
)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", DATA_SUFFIXES)
@given(content=CONTENTS)
def test_an_uploaded_data_file_of_arbitrary_bytes_is_accepted_or_refused_but_causes_no_other_error(
    suffix: str, content: bytes
) -> None:
    find_data_flaw(f"w{suffix}", content)
    with suppress(InvalidUploadError):
        read_upload("bot.zip", archive(**{f"w_{suffix[1:]}": content}))


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ({"x.py": BOT}, "wrong_suffix"),
        ({"w.npy": b"x"}, "not_data"),
        ({"w.npy": saved(NUMBERS), "W.npy": saved(NUMBERS)}, "twice"),
    ],
)
def test_an_uploaded_npz_file_with_anything_but_distinct_arrays_is_refused(inner: dict[str, bytes], code: str) -> None:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as collection:
        for name, content in inner.items():
            collection.writestr(name, content)
    with pytest.raises(InvalidUploadError) as refusal:
        read_upload("bot.zip", archive(weights_npz=body.getvalue()))
    assert refusal.value.code == code


@pytest.mark.slow
def test_data_files_of_an_upload_have_a_size_limit_separate_from_that_of_the_code(tmp_path: Path) -> None:
    weights = saved(np.zeros(6 * MIB, dtype=np.uint8))
    assert len(read_upload("bot.zip", archive(a_npy=weights)).files) == 2
    for files in ({"a_npy": weights, "b_npy": weights}, {"a_npz": saved_together(a=np.zeros(9 * MIB, np.uint8))}):
        with pytest.raises(InvalidUploadError, match="the data files have more than 8388608 bytes") as refusal:
            read_upload("bot.zip", archive(**files))
        assert refusal.value.code == "data_too_large"
    (tmp_path / "bot.py").write_bytes(BOT)
    (tmp_path / "a.npy").write_bytes(weights)
    assert len(read_upload(*pack_bot(tmp_path)).files) == 2
    with pytest.raises(InvalidUploadError, match="the data files have more than 1048576 bytes"):
        pack_bot(tmp_path, replace(UPLOAD, data_bytes=MIB))
    with pytest.raises(InvalidUploadError, match=r"only \.py"):
        read_upload("bot.zip", archive(a_npy=weights), replace(UPLOAD, data_bytes=0))
    with pytest.raises(InvalidUploadError, match="unpacks to more than"):
        read_upload("bot.zip", archive(a_txt=b"0" * 5 * MIB))


@pytest.mark.parametrize("second", ["b_npz", "b_npy"])
def test_the_arrays_of_all_npz_files_of_an_upload_share_one_size_limit(second: str) -> None:
    zeros = np.zeros(5 * MIB, np.uint8)
    packed = saved_together(a=zeros)
    assert len(read_upload("bot.zip", archive(a_npz=packed, b_npz=saved_together(a=zeros[: 2 * MIB]))).files) == 3
    with pytest.raises(InvalidUploadError, match="the data files have more than 8388608 bytes") as refusal:
        read_upload("bot.zip", archive(a_npz=packed, **{second: packed if second == "b_npz" else saved(zeros)}))
    assert refusal.value.code == "data_too_large"


def test_an_npz_file_counts_once_towards_the_size_limit_of_data_files() -> None:
    body = io.BytesIO()
    np.savez(body, a=np.zeros(7 * MIB, np.uint8))
    assert len(read_upload("bot.zip", archive(a_npz=body.getvalue())).files) == 2


def test_a_data_file_cannot_be_the_program_of_a_bot() -> None:
    for command in ("python weights.bin", "elf weights.bin", "weights.bin"):
        with pytest.raises(InvalidUploadError, match=r"must be one of|'weights\.bin' is none"):
            read_upload("bot.zip", archive(weights_bin=b"1", bot_toml=f'command = "{command}"'.encode()))
