"""Pipes to a bot's stdin, stdout and stderr, for systems with and without `select.poll`."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
from collections import deque
from collections.abc import Sequence

from ftk_core.kit.protocol.child_process import ChildProcess

READ_BYTES = 65_536
MAX_UNREAD_CHUNKS = 64
"""Maximum number of chunks that a thread reads in advance; then the bot's writes block, as with a full pipe."""


class PolledPipes:
    """Non-blocking pipes, for systems with `select.poll`."""

    def __init__(self, child: ChildProcess) -> None:
        self._descriptors: dict[str, int] = {
            "stdin": child.stdin, "stdout": child.stdout, "stderr": child.stderr
        }  # fmt: skip
        for descriptor in self._descriptors.values():
            os.set_blocking(descriptor, False)

    def ready(self, milliseconds: int, pipes: Sequence[str]) -> Sequence[str]:
        """Wait up to `milliseconds` until one of `pipes` (such as "stdout") is ready, and return all that are ready."""
        # A pipe is ready if it can be read or written, or if the bot has closed it.
        poll = select.poll()
        for pipe in pipes:
            poll.register(self._descriptors[pipe], select.POLLOUT if pipe == "stdin" else select.POLLIN)
        events = {descriptor for descriptor, _ in poll.poll(milliseconds)}
        return [pipe for pipe in pipes if self._descriptors[pipe] in events]

    def read(self, pipe: str) -> bytes:
        """Return the bytes that arrived; empty if the bot closed the pipe. Raises BlockingIOError if none arrived."""
        return os.read(self._descriptors[pipe], READ_BYTES)

    def write(self, text: bytes | bytearray | memoryview) -> int:
        """Write to the bot's stdin and return the number of bytes accepted; raises OSError, such as BlockingIOError."""
        return os.write(self._descriptors["stdin"], text)

    def close_input(self) -> None:
        """Close the bot's stdin."""
        # The descriptor stays open and refers to the null device, because `ChildProcess.end` closes it later.
        _replace_by_nothing(self._descriptors["stdin"])


class ThreadedPipes:
    """Pipes for systems without `select.poll`, such as Windows: a thread for each pipe does the blocking calls."""

    def __init__(self, child: ChildProcess) -> None:
        self._stdin = child.stdin
        self._changed = threading.Condition()
        self._received: dict[str, deque[bytes]] = {"stdout": deque(), "stderr": deque()}
        self._unsent, self._is_closing, self._is_broken = b"", False, False
        # The threads own duplicates, which stay open until the threads end, even if the originals are closed earlier.
        for pipe, descriptor in (("stdout", child.stdout), ("stderr", child.stderr)):
            threading.Thread(target=self._read_all, args=(pipe, os.dup(descriptor)), daemon=True).start()
        threading.Thread(target=self._write_all, args=(os.dup(child.stdin),), daemon=True).start()

    def ready(self, milliseconds: int, pipes: Sequence[str]) -> Sequence[str]:
        """Wait up to `milliseconds` until one of `pipes` (such as "stdout") is ready, and return all that are ready."""
        until = time.monotonic() + milliseconds / 1000
        with self._changed:
            while not (ready := [pipe for pipe in pipes if self._is_ready(pipe)]):
                if (left := until - time.monotonic()) <= 0:
                    break
                self._changed.wait(left)
            return ready

    def _is_ready(self, pipe: str) -> bool:
        return not self._unsent if pipe == "stdin" else bool(self._received[pipe])

    def read(self, pipe: str) -> bytes:
        """Return bytes that arrived; empty if the bot closed the pipe. Raises BlockingIOError if none arrived."""
        with self._changed:
            chunks = self._received[pipe]
            if not chunks:
                raise BlockingIOError
            if chunks[0]:
                self._changed.notify_all()
                return chunks.popleft()
            return b""  # the empty chunk stays: every later read returns the end of the stream

    def write(self, text: bytes | bytearray | memoryview) -> int:
        """Accept all bytes for the bot's stdin and return their number; raises BlockingIOError or BrokenPipeError."""
        with self._changed:
            if self._is_broken:
                raise BrokenPipeError
            if self._unsent:
                raise BlockingIOError
            self._unsent = bytes(text)
            self._changed.notify_all()
            return len(text)

    def close_input(self) -> None:
        """Close the bot's stdin when everything is written."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        _replace_by_nothing(self._stdin)

    def _read_all(self, pipe: str, descriptor: int) -> None:
        data = b"-"
        while data:
            data = b""
            with contextlib.suppress(OSError):
                data = os.read(descriptor, READ_BYTES)
            with self._changed:
                self._changed.wait_for(lambda: len(self._received[pipe]) < MAX_UNREAD_CHUNKS)
                self._received[pipe].append(data)
                self._changed.notify_all()
        os.close(descriptor)
        with self._changed:
            self._is_closing |= pipe == "stdout"
            self._changed.notify_all()

    def _write_all(self, descriptor: int) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._unsent or self._is_closing)
                unsent = self._unsent
            if not unsent:
                break
            written = len(unsent)
            try:
                written = os.write(descriptor, unsent)
            except OSError:
                self._is_broken = True
            with self._changed:
                self._unsent = self._unsent[written:]
                self._changed.notify_all()
        os.close(descriptor)


def open_pipe_ends(child: ChildProcess) -> PolledPipes | ThreadedPipes:
    """Return the pipes to a bot in the form that this system supports."""
    return PolledPipes(child) if hasattr(select, "poll") else ThreadedPipes(child)


def _replace_by_nothing(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
