"""What a compiler needs of this machine, file by file: a source can name any file that the compiler can read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from bots.cage.runtime import CageUnavailable

TOOLS = ("as", "ld", "cat")
PASSES = ("cc1", "collect2", "lto-wrapper", "liblto_plugin.so")
"""What `cc` calls."""
LINKED = (
    "crt1.o", "Scrt1.o", "crti.o", "crtn.o", "libc.so", "libc.so.6", "libc_nonshared.a", "libm.so", "libm.so.6",
    "libmvec.so.1", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
)  # fmt: skip
HEADERS = frozenset(
    name
    for row in (
        "aio alloca arpa asm asm-generic assert bits byteswap complex cpio ctype dirent dlfcn endian err errno error",
        "execinfo fcntl features features-time64 fenv float fmtmsg fnmatch ftw getopt glob gnu grp iconv ifaddrs",
        "inttypes iso646 langinfo libgen limits linux locale malloc math memory mqueue monetary mntent net netdb",
        "netinet nl_types paths poll pthread pty pwd regex sched search semaphore setjmp sgtty signal spawn stab",
        "stdalign stdatomic stdbool stdc-predef stddef stdint stdio stdlib stdnoreturn string strings sys sysexits",
        "syslog tar termio termios tgmath threads time uchar ucontext ulimit unistd utime utmp utmpx values wait",
        "wchar wctype wordexp",
    )
    for name in row.split()
)
"""The headers of C and of its library, as files and folders of `/usr/include`."""
INCLUDE = Path("/usr/include")


def _said(*argv: str) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False, env={"PATH": os.defpath, "LC_ALL": "C"})
    return done.stdout.strip()


def _libraries_of(program: str) -> list[str]:
    """Return the shared libraries that a program is loaded with."""
    return re.findall(r"(/\S+) \(0x", _said("ldd", program))


def _headers(folder: Path) -> list[str]:
    try:
        return [str(path) for path in sorted(folder.iterdir()) if path.name.removesuffix(".h") in HEADERS]
    except FileNotFoundError:
        return []


@cache
def compiler() -> tuple[str, tuple[str, ...]]:
    """Return the C compiler and all files and folders that it needs; raises CageUnavailable where there is none."""
    found = shutil.which("cc", path=os.defpath)
    if found is None:
        raise CageUnavailable("there is no C compiler on this machine; Debian: apt install gcc libc6-dev")
    cc = os.path.realpath(found)
    passes = [_said(cc, f"-print-prog-name={name}") for name in PASSES]
    tools = [tool for name in TOOLS if (tool := shutil.which(name, path=os.defpath))]
    linked = [_said(cc, f"-print-file-name={name}") for name in LINKED]
    own = str(Path(_said(cc, "-print-libgcc-file-name")).parent)
    programs = [cc, *(path for path in (*passes, *tools) if os.path.isabs(path)), "/bin/sh"]
    libraries = [library for program in programs for library in _libraries_of(program)]
    headers = _headers(INCLUDE) + _headers(INCLUDE / _said(cc, "-print-multiarch"))
    paths = [*programs, *libraries, *(path for path in linked if os.path.isabs(path)), own, *headers]
    return cc, tuple(dict.fromkeys(_in_usr(path) for path in paths if os.path.exists(path)))


def _in_usr(path: str) -> str:
    """Return a path without dots, and under `/usr` where a system has merged the folders."""
    path = os.path.normpath(path)
    first = "/" + path.split("/")[1]
    return os.path.normpath(f"/{os.readlink(first)}{path[len(first) :]}") if os.path.islink(first) else path
