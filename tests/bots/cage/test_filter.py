"""The filter of system calls says what the policy says, whoever assembles it, and what the policy says is narrow."""

from __future__ import annotations

import errno
import os
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.cage.filter.bpf import assembled, program
from bots.cage.filter.calls import ARCHITECTURES, NUMBERS
from bots.cage.filter.policy import ANSWERS, NOT_THERE, Kind, rules
from tests.support.cage.seccomp import ALLOW, ERRNO, KILL, built_by_libseccomp, run

KINDS: tuple[Kind, ...] = get_args(Kind)
PROGRAMS = {kind: program(kind, "x86_64") for kind in KINDS}
ORACLES = {kind: built_by_libseccomp(kind) for kind in KINDS}
VALUES = (0, 1, 2, 3, 4, 6, 9, 22, 38, 1030, 0o100, 0o1000, 0o20000000, 0x10100, 0x50F00, 0x20000000, 0x5421, 1 << 32)
ARM = ARCHITECTURES["aarch64"]


def answer(kind: Kind, name: str, *arguments: int) -> int:
    number = NUMBERS["x86_64"][name]
    assert number is not None
    return run(PROGRAMS[kind], number, arguments)


def agree(kind: Kind, number: int, arguments: tuple[int, ...]) -> bool:
    """Compare with the oracle, which knows one refusal only: ours of an ioctl is that there is no terminal."""
    ours, theirs = run(PROGRAMS[kind], number, arguments), run(ORACLES[kind], number, arguments)
    if number == NUMBERS["x86_64"]["ioctl"] and ours == ERRNO | errno.ENOTTY:
        return theirs != ALLOW
    return ours == theirs


@pytest.mark.parametrize("kind", KINDS)
def test_it_answers_like_libseccomp_for_every_number_and_argument_that_matters(kind: Kind) -> None:
    careful = {NUMBERS["x86_64"][name] for name, rule in rules(kind).items() if rule}
    for number in range(470):
        for value in VALUES if number in careful else (0,):
            for place in range(4):
                assert agree(kind, number, tuple(value if place == at else 0 for at in range(4)))


@given(
    st.sampled_from(KINDS),
    st.integers(0, 600),
    st.lists(st.integers(0, (1 << 64) - 1) | st.sampled_from(VALUES), min_size=6, max_size=6),
)
def test_it_answers_like_libseccomp_for_whatever_else(kind: Kind, number: int, arguments: list[int]) -> None:
    assert agree(kind, number, tuple(arguments))


@pytest.mark.parametrize("kind", KINDS)
def test_another_architecture_or_the_x32_numbers_are_the_end(kind: Kind) -> None:
    assert run(PROGRAMS[kind], 0, (), ARM) == KILL
    assert run(PROGRAMS[kind], 0x40000000 | 1) == KILL
    assert run(PROGRAMS[kind], -1) == KILL


@pytest.mark.parametrize("kind", ["python", "native", "threads"])
@pytest.mark.parametrize(
    "number",
    # socket, connect, fork, vfork, kill, ptrace, mount, unshare, setns, keyctl, bpf, perf_event_open, userfaultfd,
    # process_vm_readv, sysinfo, pidfd_open, io_uring_enter, flock, inotify_init1, shmget, mq_open, mkdir, unlink,
    # chmod, truncate, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo, pidfd_send_signal
    [
        200,
        234,
        129,
        297,
        424,
        41,
        42,
        57,
        58,
        62,
        101,
        165,
        272,
        308,
        250,
        321,
        298,
        323,
        310,
        99,
        434,
        426,
        73,
        294,
        29,
        240,
        83,
        87,
        90,
        76,
    ],
)
def test_what_reaches_beyond_the_bot_is_refused(kind: Kind, number: int) -> None:
    assert run(PROGRAMS[kind], number) == ERRNO | errno.EPERM


def test_files_are_opened_to_be_read_only() -> None:
    assert answer("python", "openat", 0, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOW
    for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_TMPFILE):
        assert answer("python", "openat", 0, 0, flag) == ERRNO | errno.EPERM


def test_a_python_bot_executes_nothing_and_starts_no_thread() -> None:
    assert answer("python", "execve") == ERRNO | errno.EPERM
    assert answer("python", "clone", 0x10100) == ERRNO | errno.EPERM
    assert answer("threads", "clone", 0x50F00 | 0x10000) == ALLOW
    assert answer("threads", "clone", 0x10100 | 0x20000000) == ERRNO | errno.EPERM, "a thread, but no namespace"
    assert answer("threads", "clone", 17) == ERRNO | errno.EPERM, "no process"


def test_its_death_with_the_worker_cannot_be_called_off() -> None:
    for kind in set(KINDS) - {"start"}:
        assert answer(kind, "prctl", 1, 0) == ERRNO | errno.EPERM


def test_libc_is_told_that_what_it_can_do_without_is_not_there() -> None:
    for name in NOT_THERE:
        assert answer("python", name) == ERRNO | errno.ENOSYS


def test_the_first_filter_allows_all_that_any_later_one_does() -> None:
    for kind in set(KINDS) - {"build", "build_threads"}:
        assert set(rules(kind)) <= set(rules("start"))


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_both_tables_assemble_and_no_number_stands_twice(machine: str) -> None:
    numbers = [number for number in NUMBERS[machine].values() if number is not None]
    assert len(numbers) == len(set(numbers))
    for kind in KINDS:
        assert len(assembled(kind, machine)) < 8 * 4096
    assert set(ANSWERS) <= set(NUMBERS[machine])
