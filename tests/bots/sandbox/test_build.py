"""Sandboxed compilation: a bot in C is compiled in a sandbox of its own and plays in every backend."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.sandbox import compiler, sandboxed_compilation as building
from bots.sandbox.sandboxed_compilation import build_program
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE
from ftk_core.players import NoAnswerError
from tests.support.machine import working_backends
from tests.support.sandbox.bots import question, start_bot_in


def compile_source(folder: Path, source: str) -> bytes:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.c").write_text(source)
    return build_program(folder, "c", "bot.c")[0]


@pytest.mark.slow
@pytest.mark.parametrize("backend", working_backends())
def test_a_compiled_bot_runs_in_the_sandbox(backend: str, tmp_path: Path) -> None:
    source = """
    #include <stdio.h>
    #include <unistd.h>
    #include <sys/socket.h>
    int main(void) {
        if (fork() >= 0) { puts("forked"); return 1; }
        if (socket(AF_INET, SOCK_STREAM, 0) >= 0) { puts("socket"); return 1; }
        if (fopen("/tmp/x", "w") || fopen("/etc/passwd", "r")) { puts("file"); return 1; }
        fputs("held\\n", stderr);
        return 3;
    }
    """
    (tmp_path / COMPILED_BOT_FILE).write_bytes(compile_source(tmp_path / "source", source))
    (tmp_path / COMPILED_BOT_FILE).chmod(0o555)
    with (
        start_bot_in(backend, tmp_path, source, "bot.c", "c") as player,
        pytest.raises(NoAnswerError, match="crashed: held"),
    ):
        player.choose(question())


@pytest.mark.parametrize(
    "source",
    [
        '#include "/usr/share/common-licenses/GPL-2"',
        '#include "/usr/lib/os-release"',
        '#include "/dev/urandom"',
        '#include "/proc/self/environ"',
        '__asm__(".incbin \\"/usr/lib/os-release\\"");',
        '__asm__(".incbin \\"/usr/bin/env\\"");',
        '__asm__(".incbin \\"/usr/lib/x86_64-linux-gnu/libcrypt.so.1\\"");',
        "#include <Python.h>",
    ],
)
def test_the_compiler_can_read_only_headers_and_linked_libraries(tmp_path: Path, source: str) -> None:
    with pytest.raises(BotBuildError, match=r"No such file|file not found"):
        compile_source(tmp_path, f"{source}\nint main(void) {{ return 0; }}")


def test_a_compiler_with_endless_output_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "again.h").write_text('#warning "and again"\n' * 2000)
    many = '#include "again.h"\n' * 2000
    with pytest.raises(BotBuildError, match=r"(?s)said more than 65536 bytes; the first of it: .*again"):
        compile_source(tmp_path, many + "int main(void) { return 0; }")


def test_the_compiler_runs_with_limits_of_time_files_memory_and_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = building._shell_script
    shown = "for of in t v f c n p; do ulimit -$of >&2; done; false"
    monkeypatch.setattr(building, "_shell_script", lambda *told: line(*told).partition("exec 3")[0] + shown)
    with pytest.raises(BotBuildError, match="^30 1048576 131072 0 64 64\n".replace(" ", "\n")):
        compile_source(tmp_path, "")


def test_a_compilation_succeeds_if_the_compiler_exits_some_time_after_its_last_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = building._shell_script
    busy = "i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; exit $status"
    monkeypatch.setattr(building, "_shell_script", lambda *told: line(*told).replace("exit $status", busy))
    assert compile_source(tmp_path, "int main(void) { return 0; }")


def test_a_bot_in_c_can_use_the_whole_c_library(tmp_path: Path) -> None:
    headers = "assert ctype errno float inttypes limits locale math setjmp signal stdarg stdbool stddef stdint stdio"
    headers += " stdlib string time unistd wchar complex sys/types sys/stat sys/time poll pthread"
    source = "".join(f"#include <{name}.h>\n" for name in headers.split())
    assert compile_source(tmp_path, source + "int main(void) { return (int)cos(1.0); }").startswith(b"\x7fELF")


def test_the_compiler_can_read_headers_that_are_symbolic_links_to_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = next(Path("/usr/lib/gcc").rglob("stddef.h"))
    (tmp_path / "asm").mkdir()
    (tmp_path / "asm/socket.h").symlink_to(target)
    monkeypatch.setattr(compiler, "INCLUDE", tmp_path)
    compiler.find_sandboxed_compiler.cache_clear()
    files = compiler.find_sandboxed_compiler("c").files
    compiler.find_sandboxed_compiler.cache_clear()
    assert {str(tmp_path / "asm"), str(target)} <= set(files)


@pytest.mark.slow
def test_a_source_that_compiles_to_a_too_large_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BotBuildError):
        compile_source(tmp_path, "char big[200 << 20] = {1}; int main(void) { return big[0]; }")
