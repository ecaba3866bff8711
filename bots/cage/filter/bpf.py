"""An assembler from the policy to the program the kernel runs before each system call (seccomp, classic BPF).

Each rule is a block that either returns or falls through to the next one, so no jump is long. Source: Linux,
``Documentation/userspace-api/seccomp_filter.rst``.
"""

from __future__ import annotations

import errno
import struct

from bots.cage.filter.calls import ARCHITECTURES, NUMBERS, machine
from bots.cage.filter.policy import ANSWERS, Kind, Rule, Test, rules

LOAD, AND, EQUAL, AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
KILL, ALLOW, REFUSE = 0x80000000, 0x7FFF0000, 0x00050000
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
X32_BIT = 0x40000000
Instruction = tuple[int, int, int, int]
"""Fields: code, jump if true, jump if false, operand."""


def _argument(test: Test) -> list[Instruction]:
    """Return code that falls through if the test holds, and otherwise jumps over the following return."""
    low = ARGUMENTS_AT + 8 * test.argument
    block: list[Instruction] = [(LOAD, 0, 0, low)]
    if test.mask != 0xFFFFFFFF:
        block.append((AND, 0, 0, test.mask))
    last = len(test.values) - 1
    for place, value in enumerate(test.values):
        block.append((EQUAL, last - place, 1 if place == last else 0, value))
    return block


def _block(number: int, rule: Rule) -> list[Instruction]:
    """Return the code of one allowed call; it falls through if the number or an argument does not match."""
    body: list[Instruction] = [(RETURN, 0, 0, ALLOW)]
    for test in reversed(rule):
        body = _checked(test, body)
    return [(EQUAL, 0, len(body), number), *body, *([(LOAD, 0, 0, NUMBER_AT)] if rule else [])]


def _checked(test: Test, body: list[Instruction]) -> list[Instruction]:
    """Return a test followed by the body; the test jumps over the body if it fails."""
    checks = _argument(test)
    code, if_true, _, value = checks[-1]
    inner = [*checks[:-1], (code, if_true, len(body), value), *body]
    if not test.wide:
        return inner
    high = ARGUMENTS_AT + 8 * test.argument + 4
    return [(LOAD, 0, 0, high), (EQUAL, 0, len(inner), 0), *inner]


def program(kind: Kind, name: str | None = None) -> list[Instruction]:
    """Return the instructions of a filter for an architecture (this machine's by default)."""
    name = name or machine()
    numbers = NUMBERS[name]
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 1, 0, ARCHITECTURES[name]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if name == "x86_64":
        code += [(AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, KILL)]
    for call, rule in rules(kind).items():
        number = numbers[call]
        if number is not None:
            code += _block(number, rule)
    for call, answer in ANSWERS.items():
        number = numbers[call]
        if number is not None:
            code += [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | answer)]
    return [*code, (RETURN, 0, 0, REFUSE | errno.EPERM)]


def assembled(kind: Kind, name: str | None = None) -> bytes:
    """Return the filter as an array of ``struct sock_filter``, as the kernel and bwrap read it."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program(kind, name))
