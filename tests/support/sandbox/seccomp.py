"""A reference for our filter: libseccomp builds the same policy, and an interpreter runs both programs."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from ctypes.util import find_library

from bots.sandbox.filter.bpf import Instruction
from bots.sandbox.filter.system_call_numbers import NUMBERS
from bots.sandbox.filter.system_call_policy import ERRNO_BY_CALL, Kind, list_rules

ERRNO, ALLOW, KILL = 0x00050000, 0x7FFF0000, 0x80000000
EQUAL, MASKED = 4, 7
X86_64 = 0xC000003E
AND, LOAD, JUMP_IF_GREATER, JUMP_IF_SET, JUMP = 0x54, 0x20, 0x25, 0x45, 0x05
JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN = 0x15, 0x35, 0x06


class Comparison(ctypes.Structure):
    """The struct ``scmp_arg_cmp``."""

    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


def library() -> ctypes.CDLL:
    """Load libseccomp; raises AssertionError if it is missing, because this test is never skipped."""
    name = find_library("seccomp")
    assert name, "libseccomp is missing: apt install libseccomp2"
    seccomp = ctypes.CDLL(name, use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    return seccomp


def compile_with_libseccomp(kind: Kind) -> list[Instruction]:
    """Return libseccomp's program for the policy, on x86_64."""
    seccomp = library()
    context = ctypes.c_void_p(seccomp.seccomp_init(ERRNO | errno.EPERM))
    allowed = list_rules(kind)
    for name, rule in allowed.items():
        number = NUMBERS["x86_64"][name]
        alternatives: list[list[Comparison]] = [[]]
        for test in rule:
            mask = 0xFFFFFFFFFFFFFFFF if test.wide else test.mask
            cells = [Comparison(test.argument, MASKED, mask, value) for value in test.values]
            alternatives = [[*before, cell] for before in alternatives for cell in cells]
        for tests in alternatives:
            array = (Comparison * max(1, len(tests)))(*tests)
            assert seccomp.seccomp_rule_add_array(context, ALLOW, number, len(tests), array) == 0, name
    for name, answer in ERRNO_BY_CALL.items():
        if name not in allowed:
            number = NUMBERS["x86_64"][name]
            assert seccomp.seccomp_rule_add_array(context, ERRNO | answer, number, 0, None) == 0, name
    memory = os.memfd_create("filter")
    assert seccomp.seccomp_export_bpf(context, memory) == 0
    seccomp.seccomp_release(context)
    code = os.pread(memory, 1 << 20, 0)
    os.close(memory)
    return [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]  # type: ignore[misc]  # four numbers


def run_filter(
    program: list[Instruction], number: int, arguments: tuple[int, ...] = (), architecture: int = X86_64
) -> int:
    """Return a filter's decision: classic BPF over ``struct seccomp_data``."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    record = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, architecture, 0, *padded)
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, operand = program[at]
        at += 1
        if code == RETURN:
            return operand
        if code == LOAD:
            accumulator = struct.unpack_from("=I", record, operand)[0]
        elif code == AND:
            accumulator &= operand
        elif code == JUMP:
            at += operand
        else:
            holds = {
                JUMP_IF_EQUAL: accumulator == operand,
                JUMP_IF_AT_LEAST: accumulator >= operand,
                JUMP_IF_GREATER: accumulator > operand,
                JUMP_IF_SET: bool(accumulator & operand),
            }[code]
            at += if_true if holds else if_false
