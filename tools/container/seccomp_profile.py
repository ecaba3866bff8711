"""Compiler of the container's seccomp profile to a BPF program."""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any

FILE = Path("deploy/container/seccomp.json")
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
UNKNOWN = -1
EXISTS = 17
EQUAL = 4
ARCHITECTURES = {"SCMP_ARCH_X86_64": 0xC000003E, "SCMP_ARCH_AARCH64": 0xC00000B7}


class ArgumentComparison(ctypes.Structure):
    """C structure of libseccomp that compares an argument of a system call with a value."""

    _fields_ = (
        ("index", ctypes.c_uint), ("op", ctypes.c_int), ("value", ctypes.c_uint64), ("other", ctypes.c_uint64),
    )  # fmt: skip


def load_libseccomp() -> ctypes.CDLL:
    """Load libseccomp and declare the functions used; raises OSError if it is missing (Debian: libseccomp2)."""
    found = ctypes.CDLL("libseccomp.so.2")
    found.seccomp_init.restype = ctypes.c_void_p
    found.seccomp_init.argtypes = [ctypes.c_uint32]
    found.seccomp_arch_add.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    found.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    found.seccomp_release.argtypes = [ctypes.c_void_p]
    found.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.POINTER(ArgumentComparison),
    ]  # fmt: skip
    return found


def read() -> dict[str, Any]:
    profile: dict[str, Any] = json.loads(FILE.read_text())
    return profile


def _add(seccomp: ctypes.CDLL, context: int, rule: dict[str, Any]) -> None:
    action = {"SCMP_ACT_ALLOW": ALLOW, "SCMP_ACT_ERRNO": ERRNO | rule.get("errnoRet", 1)}[rule["action"]]
    compared = [ArgumentComparison(arg["index"], EQUAL, arg["value"], 0) for arg in rule.get("args", ())]
    assert all(arg["op"] == "SCMP_CMP_EQ" for arg in rule.get("args", ())), rule
    arguments = (ArgumentComparison * len(compared))(*compared)
    for name in rule["names"]:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number == UNKNOWN:  # container runtimes skip names that an older libseccomp does not know
            continue
        done = seccomp.seccomp_rule_add_array(context, action, number, len(compared), arguments)
        assert done == 0, (name, os.strerror(-done))


def compile_bpf_program(profile: dict[str, Any]) -> int:
    """Return a file descriptor with the BPF program compiled from a profile, for `bwrap --seccomp`."""
    seccomp = load_libseccomp()
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    context = seccomp.seccomp_init(ERRNO | profile["defaultErrnoRet"])
    for name in profile["architectures"]:
        assert seccomp.seccomp_arch_add(context, ARCHITECTURES[name]) in {0, -EXISTS}, name
    for rule in profile["syscalls"]:
        _add(seccomp, context, rule)
    memory = os.memfd_create("profile")
    assert seccomp.seccomp_export_bpf(context, memory) == 0
    seccomp.seccomp_release(context)
    os.lseek(memory, 0, os.SEEK_SET)
    return memory
