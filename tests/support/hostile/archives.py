"""Invalid uploads, each with the error code and a text that the message must contain; and a few valid uploads."""

from __future__ import annotations

import bz2
import io
import lzma
import stat
import struct
import tarfile
from collections.abc import Callable
from dataclasses import dataclass

from tests.support.hostile.packing import DEFLATED, FILE, GOOD, STORED, Entry, archive, plain

MIB = 1024 * 1024
BZIP2, LZMA = 12, 14


@dataclass(frozen=True, slots=True)
class BadCase:
    """An upload that must be refused."""

    name: str
    code: str
    says: str
    """Text that the message must contain."""
    body: Callable[[], bytes]
    filename: str = "bot.zip"

    def __str__(self) -> str:
        return self.name


def _tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as target:
        info = tarfile.TarInfo("../bot.py")
        info.size = len(GOOD)
        target.addfile(info, io.BytesIO(GOOD))
    return buffer.getvalue()


def _lzma_with_a_huge_dictionary() -> bytes:
    """Return a few bytes that need 4 GiB of memory to unpack."""
    packed = lzma.compress(GOOD, lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA1}])
    return struct.pack("<BBH", 9, 4, 5) + bytes([0x5D]) + struct.pack("<L", 0xFFFF_FFFF) + packed


def _overlapping() -> bytes:
    """Return an archive of overlapping files, as in small zip bombs."""
    inner = archive(Entry("b.txt", b"b" * 100, STORED))[: 30 + 5 + 100]
    return archive(Entry("bot.py", inner, STORED), Entry("b.txt", b"b" * 100, STORED, offset=30 + 6))


def _truncated() -> bytes:
    return plain("bot.py", "a.txt")[:-30]


def _manifest(text: bytes) -> Callable[[], bytes]:
    return lambda: archive(Entry("bot.toml", text), Entry())


def _with(entry: Entry) -> Callable[[], bytes]:
    return lambda: archive(Entry(), entry)


def _named(name: str | bytes) -> Callable[[], bytes]:
    return _with(Entry(name))


PATHS = [
    BadCase("zip slip", "bad_path", "../evil.py", _named("../evil.py")),
    BadCase("zip slip in the middle", "bad_path", "a/../../evil.py", _named("a/../../evil.py")),
    BadCase("absolute path", "bad_path", "/etc/evil.py", _named("/etc/evil.py")),
    BadCase("home folder", "bad_path", "~/evil.py", _named("~/evil.py")),
    BadCase("backslashes", "bad_path", "evil.py", _named("..\\evil.py")),
    BadCase("drive letter", "bad_path", "C:/evil.py", _named("C:/evil.py")),
    BadCase("stream of a file", "bad_path", "bot.py:evil.py", _named("bot.py:evil.py")),
    BadCase("NUL in a name", "bad_path", "evil.py", _named("evil.py\0.txt")),
    BadCase("line break in a name", "bad_path", "evil", _named("evil\n.py")),
    BadCase("escape sequence in a name", "bad_path", "evil", _named("evil\x1b[2J.py")),
    BadCase("name of another alphabet", "bad_path", "б", lambda: archive(Entry(), Entry("бот.py", flags=0x800))),
    BadCase(
        "name that turns round", "bad_path", "evil", lambda: archive(Entry(), Entry("evil\u202eyp.py", flags=0x800))
    ),
    BadCase("name in no UTF-8", "not_a_zip", "utf-8", lambda: archive(Entry(), Entry(b"\xff\xfe.py", flags=0x800))),
    BadCase("name in an old alphabet", "bad_path", ".py", _named(b"\x81.py")),
    BadCase("no name", "bad_path", "''", _named("")),
    BadCase("dot", "bad_path", "./evil.py", _named("./evil.py")),
    BadCase("two slashes", "bad_path", "a//evil.py", _named("a//evil.py")),
    BadCase("name that ends in a dot", "bad_path", "evil.", _named("evil./a.py")),
    BadCase("folder that leads out", "bad_path", "../evil", lambda: archive(Entry(), Entry("../evil/", b""))),
    BadCase("too deep", "bad_path", "too deep", _named("a/b/c/d/e/f/g/evil.py")),
    BadCase("too long a name", "bad_path", "too long", _named("e" * 200 + ".py")),
    BadCase("hidden file", "bad_path", ".evil.py", _named(".evil.py")),
    BadCase("hidden folder", "bad_path", ".git/config.txt", _named(".git/config.txt")),
    BadCase("what a desktop adds", "bad_path", "__MACOSX/._bot.py", _named("__MACOSX/._bot.py")),
    BadCase("compiled code", "wrong_suffix", "bot.pyc", _named("bot.pyc")),
    BadCase("folder of compiled code", "bad_path", "__pycache__", _named("__pycache__/bot.py")),
    BadCase("machine code", "wrong_suffix", "'evil.so': only .py", _named("evil.so")),
    BadCase("path file", "wrong_suffix", "evil.pth", _named("evil.pth")),
    BadCase("no suffix", "wrong_suffix", "evil", _named("evil")),
    BadCase("folder called as a program of ours", "reserved", "bot.out", _named("bot.out/evil.py")),
    BadCase("folder called as a log of ours", "reserved", "Bot.LOG", _named("Bot.LOG/evil.py")),
    BadCase("empty folder called as a program of ours", "reserved", "bot.out", _with(Entry("bot.out/", b""))),
    BadCase("name twice", "twice", "bot.py", _named("bot.py")),
    BadCase("name twice but for its case", "twice", "BOT.py", _named("BOT.py")),
    BadCase("file that is a folder too", "twice", "a.py", lambda: archive(Entry(), Entry("a.py"), Entry("a.py/b.py"))),
    BadCase("folder that is a file too", "twice", "a.py", lambda: archive(Entry(), Entry("a.py/b.py"), Entry("a.py"))),
    BadCase("empty folder that is a file too", "twice", "bot.py", lambda: archive(Entry("bot.py/", b""), Entry())),
]
KINDS = [
    BadCase(
        "symbolic link", "not_a_file", "evil.txt", _with(Entry("evil.txt", b"/etc/passwd", mode=stat.S_IFLNK | 0o777))
    ),
    BadCase(
        "entry point as a link", "not_a_file", "'bot.py' is a link", lambda: archive(Entry(mode=stat.S_IFLNK | 0o777))
    ),
    BadCase("FIFO", "not_a_file", "evil.txt", _with(Entry("evil.txt", b"", mode=stat.S_IFIFO | 0o644))),
    BadCase("device", "not_a_file", "evil.txt", _with(Entry("evil.txt", b"", mode=stat.S_IFCHR | 0o666))),
    BadCase("block device", "not_a_file", "evil.txt", _with(Entry("evil.txt", b"", mode=stat.S_IFBLK | 0o666))),
    BadCase("socket", "not_a_file", "evil.txt", _with(Entry("evil.txt", b"", mode=stat.S_IFSOCK | 0o666))),
    BadCase("folder by its mode", "not_a_file", "evil.txt", _with(Entry("evil.txt", b"", mode=stat.S_IFDIR | 0o755))),
    BadCase("encrypted", "encrypted", "'evil.py' is encrypted", _with(Entry("evil.py", flags=1))),
    BadCase("strongly encrypted", "encrypted", "evil.py", _with(Entry("evil.py", flags=0x41))),
    BadCase("patch", "not_a_zip", "patched", _with(Entry("evil.py", flags=0x20))),
    BadCase("unknown compression", "compression", "packed by method 99", _with(Entry("evil.py", method=99))),
    BadCase("version of the future", "not_a_zip", "version", _with(Entry("evil.py", version=990))),
]
SIZES = [
    BadCase("bomb", "bomb", f"{4 * MIB} bytes", _with(Entry("zeros.txt", bytes(5 * MIB)))),
    BadCase("bomb in many files", "bomb", "bytes", lambda: plain(*map("z{}.txt".format, range(9)), content=bytes(MIB))),
    BadCase("bomb of another kind", "compression", "evil.txt",
        _with(Entry("evil.txt", method=BZIP2, packed=bz2.compress(bytes(20 * MIB)), claimed=10))),
    BadCase("dictionary of four gigabytes", "compression", "evil.txt",
        _with(Entry("evil.txt", GOOD, LZMA, packed=_lzma_with_a_huge_dictionary()))),
    BadCase("bomb in a bomb", "wrong_suffix", "in.zip", _with(Entry("in.zip", plain("z.txt", content=bytes(3 * MIB))))),
    BadCase("bomb that lies about its size", "not_a_zip", "zip",
        _with(Entry("zeros.txt", bytes(16 * MIB), claimed=10, crc=0))),
    BadCase("less than it claims", "not_a_zip", "a.txt", _with(Entry("a.txt", b"abc", claimed=3_000_000))),
    BadCase("too many files", "too_many_files", "201", lambda: plain("bot.py", *map("f{}.txt".format, range(200)))),
    BadCase("too many folders", "too_many_files", "1001", lambda: plain("bot.py", *map("d{}/".format, range(1000)))),
    BadCase("large file", "too_large", "bytes", lambda: archive(Entry("bot.py", b"#" * (MIB + 1), STORED))),
    BadCase("large source", "too_large", "bytes", lambda: b"#" * (MIB + 1), "bot.py"),
]  # fmt: skip
STRUCTURE = [
    BadCase("empty file", "empty", "empty", bytes),
    BadCase("empty archive", "no_entry_point", "bot.py", archive),
    BadCase("tar", "not_a_zip", "zip", _tar),
    BadCase("tar by its name", "wrong_type", "bot.tar", _tar, "bot.tar"),
    BadCase("text", "not_a_zip", "zip", lambda: GOOD),
    BadCase("cut off", "not_a_zip", "zip", _truncated),
    BadCase("something behind it", "not_a_zip", "extra bytes after its end", lambda: archive(Entry(), after=b"evil")),
    BadCase("another archive behind it", "not_a_zip", "begin", lambda: plain("a.txt") + plain("bot.py")),
    BadCase("something before it", "not_a_zip", "begin", lambda: archive(Entry(), before=b"#!/bin/sh\n")),
    BadCase("wrong checksum", "not_a_zip", "CRC", lambda: archive(Entry(crc=7))),
    BadCase("damaged data", "not_a_zip", "zip", lambda: archive(Entry(packed=b"\xff\xff\xff"))),
    BadCase("two names for one file", "not_a_zip", "differ", lambda: archive(Entry(local_name=b"no.txt"))),
    BadCase("one file within another", "not_a_zip", "overlap", _overlapping),
    BadCase("data of another file", "not_a_zip", "overlap", lambda: archive(Entry(), Entry(offset=0, name="a.py",
        local_name=b"bot.py"))),
    BadCase("data from beyond", "not_a_zip", "zip", lambda: archive(Entry(), Entry("a.py", offset=0x7FFF_FFFF))),
    BadCase("fewer files than listed", "not_a_zip", "zip", lambda: archive(Entry(), Entry("a.py"), count=1)),
    BadCase("more files than listed", "not_a_zip", "zip", lambda: archive(Entry(), count=500)),
    BadCase("broken field of 64 bits", "not_a_zip", "zip",
        _with(Entry("a.py", claimed=0xFFFF_FFFF, extra=struct.pack("<HH", 1, 4) + b"\1\2\3\4"))),
    BadCase("size of 64 bits", "not_a_zip", "a.py",
        _with(Entry("a.py", claimed=0xFFFF_FFFF, extra=struct.pack("<HHQ", 1, 8, 2**62)))),
    BadCase("name in a second place", "not_a_zip", "zip",
        _with(Entry("a.py", extra=struct.pack("<HHB", 0x7075, 9, 1) + b"\0\0\0\0"))),
]  # fmt: skip
CONTENT = [
    BadCase("no entry point", "no_entry_point", "no bot.py at the top", lambda: plain("main.py")),
    BadCase("entry point in a folder", "no_entry_point", "mybot/bot.py", lambda: plain("mybot/bot.py")),
    BadCase("entry point that is a folder", "no_entry_point", "bot.py", lambda: plain("bot.py/", "a.txt", content=b"")),
    BadCase("entry point that holds a NUL", "not_python", "bot.py holds a NUL", lambda: archive(Entry(data=b"a\0b"))),
    BadCase("program called a table", "not_text", "table.txt", _with(Entry("table.txt", b"\x7fELF\2\1\1" + bytes(9)))),
    BadCase("entry point in no UTF-8", "not_python", "bot.py is not UTF-8", lambda: archive(Entry(data=b"# \xff\xfe"))),
    BadCase("module in no UTF-8", "not_python", "lib.py", _with(Entry("lib.py", b"# \xff\xfe"))),
    BadCase("source in UTF-16", "not_python", "UTF-8", lambda: GOOD.decode().encode("utf-16"), "bot.py"),
    BadCase("manifest that is no TOML", "bad_manifest", "bot.toml", _manifest(b"= = =")),
    BadCase("manifest in no UTF-8", "bad_manifest", "bot.toml", _manifest(b'command = "\xff"')),
    BadCase("huge manifest", "bad_manifest", "4096 bytes", _manifest(b'command = "python bot.py"\n' + b"#" * 100_000)),
    BadCase("manifest nested without end", "bad_manifest", "bot.toml", _manifest(b"a = " + b"[" * 3000)),
    BadCase("manifest with an unknown key", "bad_manifest", "unknown key 'comand'",
        _manifest(b'command = "python bot.py"\ncomand = "x"')),
    BadCase("manifest without a command", "bad_manifest", "command", _manifest(b"")),
    BadCase("command of the wrong kind", "bad_manifest", "command", _manifest(b"command = 7")),
    BadCase("command with an open quotation", "bad_manifest", "command", _manifest(b"command = 'python \"bot.py'")),
    BadCase("another program", "bad_manifest", "'rust' and a .rs file", _manifest(b'command = "sh bot.py"')),
    BadCase("program by its path", "bad_manifest", "python", _manifest(b'command = "/usr/bin/python bot.py"')),
    BadCase("option for the interpreter", "bad_manifest", "python", _manifest(b'command = "python -c pass bot.py"')),
    BadCase("command outside", "bad_manifest", "file of the archive", _manifest(b'command = "python ../evil.py"')),
    BadCase("program that is not there", "bad_manifest", "'no.py' is none", _manifest(b'command = "python no.py"')),
    BadCase("command that is no source", "bad_manifest", ".py", _manifest(b'command = "python bot.toml"')),
    BadCase("NUL in the command", "bad_manifest", "command", _manifest(b'command = ["python", "bot.py", "\\u0000"]')),
]  # fmt: skip
BAD_ARCHIVES = (*PATHS, *KINDS, *SIZES, *STRUCTURE, *CONTENT)
GOOD_ARCHIVES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "one file": ("greedy.py", lambda: GOOD),
    "one file with a byte order mark": ("greedy.py", lambda: b"\xef\xbb\xbf" + GOOD),
    "archive": ("bot.zip", lambda: plain("bot.py", "lib/tables.json", "lib/deep/er/notes.md")),
    "archive with folders": ("bot.zip", lambda: archive(Entry("lib/", b"", STORED), Entry(),
        Entry("lib/a.py"))),
    "archive without modes": ("bot.zip", lambda: archive(Entry(mode=0), Entry("a.txt", mode=FILE, method=DEFLATED))),
    "manifest": ("b.zip", lambda: archive(Entry("bot.toml", b'command = "python src/m.py x"'), Entry("src/m.py"))),
}  # fmt: skip
