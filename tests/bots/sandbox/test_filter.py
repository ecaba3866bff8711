"""The seccomp filter: it agrees with libseccomp and refuses system calls that affect anything outside the bot."""

from __future__ import annotations

import errno
import os
from typing import get_args

import pytest
from hypothesis import given, strategies as st

from bots.sandbox.filter.bpf import compile_filter
from bots.sandbox.filter.system_call_numbers import ARCHITECTURES, NUMBERS
from bots.sandbox.filter.system_call_policy import ERRNO_BY_CALL, UNIMPLEMENTED_CALLS, Kind, list_rules
from tests.support.sandbox.seccomp import ALLOW, ERRNO, KILL, compile_with_libseccomp, run_filter

KINDS: tuple[Kind, ...] = get_args(Kind)
PROGRAMS = {kind: compile_filter(kind, "x86_64") for kind in KINDS}
ORACLES = {kind: compile_with_libseccomp(kind) for kind in KINDS}
VALUES = (0, 1, 2, 3, 4, 6, 9, 22, 38, 1030, 0o100, 0o1000, 0o20000000, 0x10100, 0x50F00, 0x20000000, 0x5421, 1 << 32)
ARM = ARCHITECTURES["aarch64"]


def filter_answer(kind: Kind, name: str, *arguments: int) -> int:
    number = NUMBERS["x86_64"][name]
    assert number is not None
    return run_filter(PROGRAMS[kind], number, arguments)


def agrees_with_libseccomp(kind: Kind, number: int, arguments: tuple[int, ...]) -> bool:
    """Compare the filter with libseccomp, which supports only one kind of refusal."""
    ours, theirs = run_filter(PROGRAMS[kind], number, arguments), run_filter(ORACLES[kind], number, arguments)
    if number == NUMBERS["x86_64"]["ioctl"] and ours == ERRNO | errno.ENOTTY:
        return theirs != ALLOW
    return ours == theirs


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_seccomp_filter_agrees_with_libseccomp_for_every_listed_system_call_and_argument(kind: Kind) -> None:
    careful = {NUMBERS["x86_64"][name] for name, rule in list_rules(kind).items() if rule}
    for number in range(470):
        for value in VALUES if number in careful else (0,):
            for place in range(4):
                assert agrees_with_libseccomp(kind, number, tuple(value if place == at else 0 for at in range(4)))


@pytest.mark.slow
@given(
    st.sampled_from(KINDS),
    st.integers(0, 600),
    st.lists(st.integers(0, (1 << 64) - 1) | st.sampled_from(VALUES), min_size=6, max_size=6),
)
def test_the_seccomp_filter_agrees_with_libseccomp_for_random_system_calls(
    kind: Kind, number: int, arguments: list[int]
) -> None:
    assert agrees_with_libseccomp(kind, number, tuple(arguments))


@pytest.mark.parametrize("kind", KINDS)
def test_a_system_call_of_another_architecture_kills_the_process(kind: Kind) -> None:
    assert run_filter(PROGRAMS[kind], 0, (), ARM) == KILL
    assert run_filter(PROGRAMS[kind], 0x40000000 | 1) == KILL
    assert run_filter(PROGRAMS[kind], -1) == KILL


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
def test_system_calls_that_affect_other_processes_are_refused(kind: Kind, number: int) -> None:
    assert run_filter(PROGRAMS[kind], number) == ERRNO | errno.EPERM


def test_the_seccomp_filter_lets_bots_open_files_for_reading_only() -> None:
    assert filter_answer("python", "openat", 0, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOW
    for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_TMPFILE):
        assert filter_answer("python", "openat", 0, 0, flag) == ERRNO | errno.EPERM


def test_a_python_bot_can_neither_execute_programs_nor_start_threads() -> None:
    assert filter_answer("python", "execve") == ERRNO | errno.EPERM
    assert filter_answer("python", "clone", 0x10100) == ERRNO | errno.EPERM
    assert filter_answer("threads", "clone", 0x50F00 | 0x10000) == ALLOW
    assert filter_answer("threads", "clone", 0x10100 | 0x20000000) == ERRNO | errno.EPERM, "a thread, but no namespace"
    assert filter_answer("threads", "clone", 17) == ERRNO | errno.EPERM, "no process"


def test_a_bot_cannot_clear_its_parent_death_signal() -> None:
    for kind in set(KINDS) - {"start"}:
        assert filter_answer(kind, "prctl", 1, 0) == ERRNO | errno.EPERM


def test_system_calls_on_the_list_of_unimplemented_calls_fail_with_enosys() -> None:
    for name in UNIMPLEMENTED_CALLS:
        assert filter_answer("python", name) == ERRNO | errno.ENOSYS


def test_the_seccomp_filter_at_startup_allows_every_system_call_that_later_filters_allow() -> None:
    for kind in set(KINDS) - {"build", "build_threads"}:
        assert set(list_rules(kind)) <= set(list_rules("start"))


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_seccomp_filters_fit_into_the_kernel_limit_and_use_unique_system_call_numbers(machine: str) -> None:
    numbers = [number for number in NUMBERS[machine].values() if number is not None]
    assert len(numbers) == len(set(numbers))
    for kind in KINDS:
        assert len(compile_filter(kind, machine)) < 4096
    assert set(ERRNO_BY_CALL) <= set(NUMBERS[machine])
