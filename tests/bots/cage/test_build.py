"""A bot in C is compiled in a cage of its own, and then plays in every tier like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.cage import build as building
from bots.cage.build import build
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.remedies import BINARY
from ftk_core.players import NoAnswer
from tests.support.cage.bots import bot_in, question
from tests.support.machine import held_tiers

SOURCE = r"""
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(void) {
    static char line[1 << 20];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\":");
        if (id) printf("{\"id\": %d, \"choose\": 1}\n", atoi(id + 5));
    }
    return 0;
}
"""


def built(folder: Path, source: str) -> bytes:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.c").write_text(source)
    return build(folder, "c", "bot.c")[0]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return built(tmp_path_factory.mktemp("c"), SOURCE)


@pytest.mark.parametrize("tier", held_tiers())
def test_a_bot_in_c_plays(tier: str, tmp_path: Path, program: bytes) -> None:
    (tmp_path / BINARY).write_bytes(program)
    (tmp_path / BINARY).chmod(0o555)
    with bot_in(tier, tmp_path, SOURCE, "bot.c", "c") as player:
        assert [player.choose(question(number)).index for number in (1, 2, 3)] == [1, 1, 1]


@pytest.mark.parametrize("tier", held_tiers())
def test_a_compiled_bot_is_held_too(tier: str, tmp_path: Path) -> None:
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
    (tmp_path / BINARY).write_bytes(built(tmp_path / "source", source))
    (tmp_path / BINARY).chmod(0o555)
    with bot_in(tier, tmp_path, source, "bot.c", "c") as player, pytest.raises(NoAnswer, match="crashed: held"):
        player.choose(question())


def test_a_source_that_does_not_compile_is_refused_with_the_compilers_words(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"bot\.c:1:"):
        built(tmp_path, "int main(void) { return nonsense; }")


@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "/dev/urandom"])
def test_a_source_cannot_include_the_host(tmp_path: Path, path: str) -> None:
    with pytest.raises(BuildFailed, match="No such file"):
        built(tmp_path, f'#include "{path}"\nint main(void) {{ return 0; }}')


@pytest.mark.parametrize(
    "source",
    [
        '#include "/usr/share/common-licenses/GPL-2"',
        '#include "/usr/lib/os-release"',
        '__asm__(".incbin \\"/usr/lib/os-release\\"");',
        '__asm__(".incbin \\"/usr/bin/env\\"");',
        '__asm__(".incbin \\"/usr/lib/x86_64-linux-gnu/libcrypt.so.1\\"");',
        "#include <Python.h>",
    ],
)
def test_a_source_reads_nothing_of_the_system_but_headers_and_what_is_linked(tmp_path: Path, source: str) -> None:
    with pytest.raises(BuildFailed, match=r"No such file|file not found"):
        built(tmp_path, f"{source}\nint main(void) {{ return 0; }}")


def test_a_compiler_that_never_stops_talking_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "again.h").write_text('#warning "and again"\n' * 2000)
    many = '#include "again.h"\n' * 2000
    with pytest.raises(BuildFailed, match=r"(?s)said more than 65536 bytes; the first of it: .*again"):
        built(tmp_path, many + "int main(void) { return 0; }")


def test_the_compilers_limits_are_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = building._line
    shown = "for of in t v f c n p; do ulimit -$of >&2; done; false"
    monkeypatch.setattr(building, "_line", lambda *told: line(*told).partition("exec 3")[0] + shown)
    with pytest.raises(BuildFailed, match="^30 1048576 131072 0 64 64\n".replace(" ", "\n")):
        built(tmp_path, "")


def test_the_shell_waits_for_a_build_that_has_said_its_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = building._line
    busy = "i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; exit $status"
    monkeypatch.setattr(building, "_line", lambda *told: line(*told).replace("exit $status", busy))
    assert built(tmp_path, "int main(void) { return 0; }")


def test_all_of_the_c_library_can_be_used(tmp_path: Path) -> None:
    headers = "assert ctype errno float inttypes limits locale math setjmp signal stdarg stdbool stddef stdint stdio"
    headers += " stdlib string time unistd wchar complex sys/types sys/stat sys/time poll pthread"
    source = "".join(f"#include <{name}.h>\n" for name in headers.split())
    assert built(tmp_path, source + "int main(void) { return (int)cos(1.0); }").startswith(b"\x7fELF")


def test_a_program_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed):
        built(tmp_path, "char big[200 << 20] = {1}; int main(void) { return big[0]; }")
