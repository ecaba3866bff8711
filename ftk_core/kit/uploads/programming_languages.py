"""Table of supported programming languages."""
# An upload cannot choose compiler options: only the commands in the table are used.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ftk_core.i18n import N_

Filter = Literal["python", "native", "threads"]
"""System call filter of a running bot: for Python, for a program without threads, or for a program with threads."""
MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildLimits:
    """Resource limits for compiling one bot."""

    seconds: int = 60
    """Wall-clock limit of the whole build."""
    cpu_seconds: int = 30
    """CPU time limit of each process."""
    memory_mib: int = 1024
    """Memory limit of each process: its address space, or its data segment if the compiler reserves far more than it
    uses."""
    scratch_mib: int = 64
    """Limit on the total size of files written."""
    processes: int = 64
    """Maximum number of concurrent processes and threads."""
    program_bytes: int = 8 * MIB
    """Maximum size of the built program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompilerCommands:
    """Compiler of a language: the programs that it consists of, and the commands that compile a bot."""

    programs: tuple[str, ...]
    """Names of all programs called; each is also a placeholder in `steps`. The first is the compiler."""
    package: str
    """Debian package to install."""
    version: tuple[str, ...] = ("--version",)
    """Arguments that make the compiler print its version."""
    steps: tuple[tuple[str, ...], ...]
    """Commands run in order, in the bot's folder; each begins with a name from `programs`. Placeholders: {source} is
    the path in the bot's command, {folder} its folder and {stem} its name without suffix, {scratch} an empty folder,
    {out} the path of the built program, {home} the folder that `levels` determines."""
    environment: Mapping[str, str] = field(default_factory=dict)
    levels: int = 0
    """Number of folder levels from the compiler's program up to a folder of its own that contains all files it reads; 0
    if the compiler has no such folder."""
    folder_arguments: tuple[str, ...] = ()
    """Arguments that make the compiler print the path of a further folder that it reads; empty if it reads none. The
    sandbox contains only files that the compiler needs, because a source may include any file in the sandbox."""
    headers: bool = False
    """True if sources may include the headers of C and its library."""
    threads: bool = False
    """True if the compiler uses threads and reserves memory that it does not use."""
    limits: BuildLimits = BuildLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgrammingLanguage:
    """Supported programming language: how its bots are compiled and run."""

    title: str
    suffix: str
    """Suffix of the file that a bot's command names."""
    beside: tuple[str, ...] = ()
    """Suffixes of further source files that may lie beside the file that the command names."""
    runner: tuple[str, ...] = ()
    """Command that runs the program, with options; empty if the program runs directly."""
    levels: int = 0
    """Number of folder levels from the runner's program up to the folder that contains all files it reads; 0 if it
    reads only libraries of the system."""
    package: str = ""
    """Debian package of the runner."""
    filter: Filter = "native"
    compiler: CompilerCommands | None = None
    prebuilt: bool = False
    """True if the uploaded file is the program itself, which an organiser may forbid."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Additional environment variables that keep a bot within its memory limit."""
    files: tuple[str, ...] = ()
    """Files besides libraries that the runtime reads at its start, where they exist."""
    code_bytes: int = 0
    """Data that the runtime reserves for machine code at its start; a bot uses little of it."""


JAVA_LOG = ("-Xlog:disable", "-Xlog:all=warning:stderr", "-XX:+DisplayVMOutputToStderr")
"""JVM options that send warnings to stderr; on stdout, the default, they would be read as answers."""
JAVA_SPARES = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData")
"""JVM options for fewer threads, less memory, and no file of performance data."""
NODE_FILES = tuple(
    f"/usr/share/nodejs/{name}.js"
    for name in (
        "acorn/dist/acorn",
        "acorn-walk/dist/walk",
        "cjs-module-lexer/lexer",
        "cjs-module-lexer/dist/lexer",
        "minimatch/index",
        "undici/undici-fetch",
    )
)
"""Parts of Node that Debian ships in packages of their own."""
NODE_CODE_BYTES = 512 * MIB
"""Code range of V8. From Node 22 on, the kernel counts it as data, because it is mapped writable at once."""
NODE = ("node", "--no-addons", "--max-old-space-size=128", "--single-threaded-gc", "--v8-pool-size=0")
LOAD_COMMONJS = "require('module')._load(require('path').resolve(process.argv[1]), null, true)"
"""Start of a compiled bundle, whose name has no suffix that Node knows. Node itself refuses such a name if a
package.json beside it says ``"type": "module"``."""
LANGUAGES: dict[str, ProgrammingLanguage] = {
    "python": ProgrammingLanguage(title="Python", suffix=".py", runner=("python3",), package="python3",
    filter="python"),
    "node": ProgrammingLanguage(
        title="JavaScript",
        suffix=".js",
        runner=NODE,
        package="nodejs",
        filter="threads",
        files=NODE_FILES,
        code_bytes=NODE_CODE_BYTES,
    ),
    "typescript": ProgrammingLanguage(
        title="TypeScript",
        suffix=".ts",
        runner=(*NODE, "--eval", LOAD_COMMONJS),
        package="nodejs",
        filter="threads",
        files=NODE_FILES,
        code_bytes=NODE_CODE_BYTES,
        compiler=CompilerCommands(  # esbuild removes the types unchecked, and bundles all imports
            programs=("esbuild",),
            package="esbuild",
            steps=(
                ("esbuild", "{source}", "--bundle", "--platform=node", "--target=node18", "--log-level=warning",
                 "--outfile={out}"),
            ),
            environment={"GOMAXPROCS": "2"},
            threads=True,
        ),
    ),
    "c": ProgrammingLanguage(
        title="C",
        suffix=".c",
        beside=(".h",),
        compiler=CompilerCommands(
            programs=("cc",),
            package="gcc libc6-dev",
            steps=(("cc", "-std=gnu11", "-O2", "-pipe", "-o", "{out}", "{source}", "-lm"),),
            headers=True,
        ),
    ),
    "cpp": ProgrammingLanguage(
        title="C++",
        suffix=".cpp",
        beside=(".hpp", ".h"),
        compiler=CompilerCommands(
            programs=("c++", "cc"),
            package="g++",
            steps=(("c++", "-std=gnu++20", "-O2", "-pipe", "-o", "{out}", "{source}"),),
            headers=True,
        ),
    ),
    "rust": ProgrammingLanguage(
        title="Rust",
        suffix=".rs",
        compiler=CompilerCommands(
            programs=("rustc", "cc"),
            package="rustc gcc libc6-dev",
            steps=(
                ("rustc", "--edition", "2021", "--crate-name", "bot", "-C", "opt-level=2", "-C", "strip=symbols",
                 "-C", "codegen-units=1", "-C", "linker={cc}", "-o", "{out}", "{source}"),
            ),
            folder_arguments=("--print", "target-libdir"),
            threads=True,
        ),
    ),
    "go": ProgrammingLanguage(
        title="Go",
        suffix=".go",
        beside=(".mod",),
        filter="threads",
        environment={"GOMAXPROCS": "1", "GOMEMLIMIT": "160MiB"},
        compiler=CompilerCommands(
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
    "java": ProgrammingLanguage(
        title="Java",
        suffix=".java",
        runner=(
            "java", "-Xmx96m", "-Xss512k", "-XX:MaxMetaspaceSize=48m", "-XX:ReservedCodeCacheSize=24m",
            "-XX:CompressedClassSpaceSize=16m", *JAVA_SPARES, *JAVA_LOG, "-jar",
        ),
        levels=2,
        package="default-jre-headless",
        filter="threads",
        compiler=CompilerCommands(
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
    "zig": ProgrammingLanguage(
        title="Zig",
        suffix=".zig",
        compiler=CompilerCommands(
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
    "elf": ProgrammingLanguage(title=N_('a static ELF program'), suffix=".elf", filter="threads", prebuilt=True),
}  # fmt: skip
"""First word of a bot's command -> language."""
SUFFIXES = tuple(dict.fromkeys(end for row in LANGUAGES.values() for end in (row.suffix, *row.beside)))
"""All source file suffixes."""
