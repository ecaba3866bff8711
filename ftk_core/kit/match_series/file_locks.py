"""Locks that keep other processes from using a file, on Unix and on Windows."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

LOCKED_BYTE = 1 << 40
"""Position of the byte that is locked on Windows. It lies beyond every file's end, as Windows locks forbid reading."""


def lock_file(file: BinaryIO) -> None:
    """Lock a file until it is closed; raises BlockingIOError if another process has locked it."""
    # Systems other than Unix and Windows have no such lock: nothing happens there.
    if sys.platform == "win32":
        import msvcrt

        position = file.tell()
        os.lseek(file.fileno(), LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
        finally:
            os.lseek(file.fileno(), position, os.SEEK_SET)
        return
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
