"""Simulation of bad network links that delay or drop Ethernet frames.

Usage: ``python -m tools.multi_host_fleet.lossy_links <delay in ms> <loss> <end>:<end> ...``. Each ``<end>:<end>``
names two network interfaces, between which frames are forwarded.
"""
# If the kernel has `tc netem`, that does the work. Otherwise this module runs as a program between the hosts and the
# switch.

from __future__ import annotations

import heapq
import select
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random

from tools.multi_host_fleet.fleet_namespaces import SWITCH, FleetNamespaces, NamespacesNotPermittedError
from tools.multi_host_fleet.simulated_hosts import SimulatedHost

ALL_KINDS, SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 3, 263, 15, 23
LARGEST = 1 << 17
HEADER = struct.calcsize("=BBHHHH")
"""Length in bytes of the header before each frame (struct virtio_net_hdr)."""


def _has_netem(ground: FleetNamespaces) -> bool:
    try:
        ground.run("ip", "link", "add", "trial", "type", "dummy")
        ground.run("tc", "qdisc", "add", "dev", "trial", "root", "netem", "delay", "1ms")
    except NamespacesNotPermittedError:
        return False
    finally:
        with suppress(NamespacesNotPermittedError):
            ground.run("ip", "link", "delete", "trial")
    return True


@contextmanager
def degrade_links(ground: FleetNamespaces, hosts: Sequence[SimulatedHost], delay_ms: int, loss: float) -> Iterator[str]:
    """Delay and drop frames that the `hosts` send, during the `with` block.

    `loss` is a probability from 0 to 1. Yields the name of the technique that delays and drops the frames.
    """
    if _has_netem(ground):
        how = ["netem", "delay", f"{delay_ms}ms", "loss", f"{loss:%}"]
        for host in hosts:
            host.run("tc", "qdisc", "add", "dev", "eth0", "root", *how)
        try:
            yield "tc netem"
        finally:
            for host in hosts:
                host.run("tc", "qdisc", "delete", "dev", "eth0", "root")
        return
    ends = [(host.cable, f"{host.cable}-x", f"{host.cable}-y") for host in hosts]
    for ours, near, far in ends:
        ground.run("ip", "link", "add", near, "type", "veth", "peer", "name", far)
        ground.run("ip", "link", "set", far, "master", SWITCH, "up")
        ground.run("ip", "link", "set", near, "up")
        ground.run("ip", "link", "set", ours, "nomaster")
    pairs = [f"{ours}:{near}" for ours, near, _ in ends]
    command = [sys.executable, "-m", __name__, str(delay_ms), str(loss), *pairs]
    program = subprocess.Popen([*ground.make_nsenter_prefix(), *command])
    try:
        yield "frames passed on by a program, as this kernel has no sch_netem"
        assert program.poll() is None, "the program died"
    finally:
        program.kill()
        program.wait()
        for ours, near, _ in ends:
            ground.run("ip", "link", "set", ours, "master", SWITCH)
            ground.run("ip", "link", "delete", near)


def _end(name: str) -> socket.socket:
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    end.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    end.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
    end.bind((name, ALL_KINDS))
    end.settimeout(0)
    return end


class _DelayedFrames:
    """Queue of frames that are forwarded after a delay in seconds."""

    def __init__(self, delay: float) -> None:
        self._delay, self._count = delay, 0
        self._waiting: list[tuple[float, int, socket.socket, bytes]] = []

    def put(self, target: socket.socket, frame: bytes) -> None:
        self._count += 1
        heapq.heappush(self._waiting, (time.monotonic() + self._delay, self._count, target, frame))

    def rest(self) -> float:
        """Return the seconds until the next frame must be forwarded; 1 if the queue is empty."""
        return max(0.0, self._waiting[0][0] - time.monotonic()) if self._waiting else 1.0

    def pass_on(self) -> None:
        while self._waiting and self._waiting[0][0] <= time.monotonic():
            _, _, target, frame = heapq.heappop(self._waiting)
            _pass_on(target, frame)


def main(words: Sequence[str]) -> None:
    """Forward frames between pairs of network interfaces, named as ``<end>:<end>``."""
    # Only frames from the first end to the second are delayed or dropped.
    late, loss, draw = _DelayedFrames(int(words[0]) / 1000), float(words[1]), Random(words[2])
    ways: dict[int, tuple[socket.socket, socket.socket, bool]] = {}
    for pair in words[2:]:
        host, switch = map(_end, pair.split(":"))
        ways |= {host.fileno(): (host, switch, True), switch.fileno(): (switch, host, False)}
    poll = select.epoll()
    for number in ways:
        poll.register(number, select.EPOLLIN)
    while True:
        for number, _ in poll.poll(late.rest()):
            source, target, bad = ways[number]
            for frame in _frames(source):
                if not bad:
                    _pass_on(target, frame)
                elif draw.random() >= loss:
                    late.put(target, frame)
        late.pass_on()


def _frames(source: socket.socket) -> Iterator[bytes]:
    for _ in range(64):
        try:
            frame = source.recv(LARGEST)
        except (BlockingIOError, OSError):
            return
        if len(frame) > HEADER:
            yield frame


def _pass_on(target: socket.socket, frame: bytes) -> None:
    with suppress(OSError):  # the frame is lost if the queue is full or the host has no power
        target.send(frame)


if __name__ == "__main__":
    main(sys.argv[1:])
