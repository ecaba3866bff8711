"""Assembler of seccomp filters in classic BPF.

Source: Linux, ``Documentation/userspace-api/seccomp_filter.rst``.
"""
# The instructions of a rule either return a decision or fall through to the next rule, so 8-bit jump offsets suffice.

from __future__ import annotations

import errno
import struct

from bots.sandbox.filter.system_call_numbers import ARCHITECTURES, NUMBERS, find_architecture
from bots.sandbox.filter.system_call_policy import ERRNO_BY_CALL, Kind, Rule, SystemCallCondition, list_rules

LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
KILL, ALLOW, REFUSE = 0x80000000, 0x7FFF0000, 0x00050000
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
X32_BIT = 0x40000000
Instruction = tuple[int, int, int, int]
"""A BPF instruction: code, jump if true, jump if false, operand."""


def _compile_test(test: SystemCallCondition) -> list[Instruction]:
    """Return instructions that check one argument of a system call."""
    # The instruction after them is skipped unless the condition is met.
    low = ARGUMENTS_AT + 8 * test.argument
    block: list[Instruction] = [(LOAD, 0, 0, low)]
    if test.mask != 0xFFFFFFFF:
        block.append((AND, 0, 0, test.mask))
    last = len(test.values) - 1
    for place, value in enumerate(test.values):
        block.append((EQUAL, last - place, 1 if place == last else 0, value))
    return block


def _compile_rule(number: int, rule: Rule) -> list[Instruction]:
    """Return instructions that allow a system call with certain arguments."""
    # If the arguments do not match, the execution continues after these instructions.
    body: list[Instruction] = [(RETURN, 0, 0, ALLOW)]
    for test in reversed(rule):
        body = _guard(test, body)
    return [(EQUAL, 0, len(body), number), *body, *([(LOAD, 0, 0, NUMBER_AT)] if rule else [])]


def _guard(test: SystemCallCondition, body: list[Instruction]) -> list[Instruction]:
    """Return the instructions that run `body` if an argument meets the condition `test`, and otherwise skip `body`."""
    checks = _compile_test(test)
    code, if_true, _, value = checks[-1]
    inner = [*checks[:-1], (code, if_true, len(body), value), *body]
    if not test.wide:
        return inner
    high = ARGUMENTS_AT + 8 * test.argument + 4
    return [(LOAD, 0, 0, high), (EQUAL, 0, len(inner), 0), *inner]


def compile_filter(kind: Kind, name: str | None = None) -> list[Instruction]:
    """Return the filter's instructions for one kind of process and one processor architecture."""
    name = name or find_architecture()
    numbers = NUMBERS[name]
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, ARCHITECTURES[name]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if name == "x86_64":
        code += [(AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, KILL)]
    for call, rule in list_rules(kind).items():
        number = numbers[call]
        if number is not None:
            code += _compile_rule(number, rule)
    for call, answer in ERRNO_BY_CALL.items():
        number = numbers[call]
        if number is not None:
            code += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | answer)]
    return [*code, (RETURN, 0, 0, REFUSE | errno.EPERM)]


def assemble_filter(kind: Kind) -> bytes:
    """Return the filter as an array of ``struct sock_filter``, as the kernel and bwrap read it."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in compile_filter(kind))
