"""What bots may be written in: one table, for the server's cage, for whoever plays at home, and for what they are told.

A command's first word names a row. What is compiled is compiled with a row's words alone: an upload chooses no options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Filter = Literal["python", "native", "threads"]
"""Which system calls a running bot may make: an interpreter of ours, a program without threads, one with them."""
MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildLimits:
    """How much the making of one program may use."""

    seconds: int = 60
    """On the wall, for all of it."""
    cpu_seconds: int = 30
    """Of computing, for each process."""
    memory_mib: int = 1024
    """Of each process: of its addresses, or of its data where a compiler reserves far more than it uses."""
    scratch_mib: int = 64
    """What it may write."""
    processes: int = 64
    """At once, threads included."""
    program_bytes: int = 8 * MIB
    """How large what it makes may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiler:
    """How a program is made of a source."""

    programs: tuple[str, ...]
    """All that it calls by name, each a placeholder of `steps` too; the first is the compiler."""
    package: str
    """What to install on Debian."""
    version: tuple[str, ...] = ("--version",)
    """What the compiler is asked to say its version."""
    steps: tuple[tuple[str, ...], ...]
    """One command after the other, from the bot's folder. Their first words are of `programs`; {source} is what the
    bot's command names, {folder} where that lies and {stem} its name without an ending, {scratch} an empty folder,
    {out} where the program is put, {home} the folder that `levels` means."""
    environment: Mapping[str, str] = field(default_factory=dict)
    levels: int = 0
    """How many folders above the compiler all lies that it reads; 0 where it lies among other programs."""
    asks: tuple[str, ...] = ()
    """What it is asked to say a folder that it reads; empty for none. A source may name what its compiler can see."""
    headers: bool = False
    """Whether its sources include those of C and of its library."""
    threads: bool = False
    """Whether it has threads, and reserves memory that it does not use."""
    limits: BuildLimits = BuildLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A row of the table."""

    title: str
    suffix: str
    """How the file ends that a command names."""
    beside: tuple[str, ...] = ()
    """How other sources of it end."""
    runner: tuple[str, ...] = ()
    """What runs it, with its options; empty where a program runs by itself."""
    levels: int = 0
    """How many folders above its runner all lies that this reads; 0 where the system's libraries are enough."""
    package: str = ""
    """What to install on Debian for its runner."""
    filter: Filter = "native"
    compiler: Compiler | None = None
    prebuilt: bool = False
    """Whether the file itself is the program, which an organiser may or may not allow."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What it is told to stay within its memory, besides what all bots are told."""


JAVA_LOG = ("-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:+DisplayVMOutputToStderr")
"""The JVM's own warnings go to stderr: on stdout, where they go by default, one would be taken for an answer."""
JAVA_SPARES = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData")
"""Fewer threads, less memory, and no file of figures."""
LANGUAGES: dict[str, Language] = {
    "python": Language(title="Python", suffix=".py", runner=("python3",), package="python3", filter="python"),
    "node": Language(
        title="JavaScript",
        suffix=".js",
        runner=("node", "--no-addons", "--max-old-space-size=128", "--single-threaded-gc", "--v8-pool-size=0"),
        package="nodejs",
        filter="threads",
    ),
    "c": Language(
        title="C",
        suffix=".c",
        beside=(".h",),
        compiler=Compiler(
            programs=("cc",),
            package="gcc libc6-dev",
            steps=(("cc", "-std=gnu11", "-O2", "-pipe", "-o", "{out}", "{source}", "-lm"),),
            headers=True,
        ),
    ),
    "cpp": Language(
        title="C++",
        suffix=".cpp",
        beside=(".hpp", ".h"),
        compiler=Compiler(
            programs=("c++", "cc"),
            package="g++",
            steps=(("c++", "-std=gnu++20", "-O2", "-pipe", "-o", "{out}", "{source}"),),
            headers=True,
        ),
    ),
    "rust": Language(
        title="Rust",
        suffix=".rs",
        compiler=Compiler(
            programs=("rustc", "cc"),
            package="rustc gcc libc6-dev",
            steps=(
                ("rustc", "--edition", "2021", "--crate-name", "bot", "-C", "opt-level=2", "-C", "strip=symbols",
                 "-C", "codegen-units=1", "-C", "linker={cc}", "-o", "{out}", "{source}"),
            ),
            asks=("--print", "target-libdir"),
            threads=True,
        ),
    ),
    "go": Language(
        title="Go",
        suffix=".go",
        beside=(".mod",),
        filter="threads",
        environment={"GOMAXPROCS": "1", "GOMEMLIMIT": "160MiB"},
        compiler=Compiler(
            programs=("go",),
            package="golang-go",
            version=("version",),
            steps=(("go", "build", "-p", "2", "-buildvcs=false", "-ldflags=-s -w", "-o", "{out}", "./{folder}"),),
            environment={
                "CGO_ENABLED": "0", "GO111MODULE": "auto", "GOFLAGS": "", "GOPROXY": "off", "GOTOOLCHAIN": "local",
                "GOENV": "off", "GOWORK": "off", "GOCACHE": "{scratch}/cache", "GOPATH": "{scratch}/go",
                "GOTMPDIR": "{scratch}", "GOMAXPROCS": "2", "GOROOT": "{home}",
            },
            levels=2,
            threads=True,
            limits=BuildLimits(seconds=180, cpu_seconds=90, scratch_mib=256),
        ),
    ),
    "java": Language(
        title="Java",
        suffix=".java",
        runner=(
            "java", "-Xmx96m", "-Xss512k", "-XX:MaxMetaspaceSize=48m", "-XX:ReservedCodeCacheSize=24m",
            "-XX:CompressedClassSpaceSize=16m", *JAVA_SPARES, *JAVA_LOG, "-jar",
        ),
        levels=2,
        package="default-jre-headless",
        filter="threads",
        compiler=Compiler(
            programs=("javac", "jar"),
            package="default-jdk-headless",
            steps=(
                ("javac", "-J-Xmx256m", *(f"-J{word}" for word in JAVA_SPARES), "-proc:none", "-encoding", "UTF-8",
                 "-sourcepath", "{folder}", "-d", "{scratch}/classes", "{source}"),
                ("jar", "-J-Xmx64m", *(f"-J{word}" for word in JAVA_SPARES), "--create", "--file", "{out}",
                 "--main-class", "{stem}", "-C", "{scratch}/classes", "."),
            ),
            levels=2,
            threads=True,
        ),
    ),
    "zig": Language(
        title="Zig",
        suffix=".zig",
        compiler=Compiler(
            programs=("zig",),
            package="zig",
            version=("version",),
            steps=(
                ("zig", "build-exe", "-O", "ReleaseSafe", "-fstrip", "-fsingle-threaded",
                 "--cache-dir", "{scratch}/cache", "--global-cache-dir", "{scratch}/cache",
                 "-femit-bin={out}", "{source}"),
            ),
            levels=1,
            threads=True,
            limits=BuildLimits(seconds=180, cpu_seconds=120, scratch_mib=256),
        ),
    ),
    "elf": Language(title="a static ELF program", suffix=".elf", filter="threads", prebuilt=True),
}  # fmt: skip
"""What a command may begin with."""
SUFFIXES = tuple(dict.fromkeys(end for row in LANGUAGES.values() for end in (row.suffix, *row.beside)))
"""How the sources of all of them end."""
