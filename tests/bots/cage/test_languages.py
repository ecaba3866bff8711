"""Every language with a compiler here is built in a cage of its own, and its bots are held like any other."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bots.cage.abilities import lacking
from bots.cage.build import build
from bots.cage.layout import lay_out_bot
from bots.cage.spawn import caged
from bots.cage.watch import usage
from ftk_core.kit.holding import BuildFailed
from ftk_core.kit.languages import LANGUAGES, MIB
from ftk_core.kit.remedies import BINARY, BUILT
from ftk_core.players import Hello, NoAnswer
from tests.support.cage.bots import question
from tests.support.cage.languages import BOTS, HERE, source_of
from tests.support.machine import cage_of, held_tiers

HELLO = Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0)
BROKEN = {
    "c": "int main(void) {\n  return nonsense;\n}\n",
    "cpp": "int main() {\n  return nonsense;\n}\n",
    "rust": "fn main() {\n  nonsense();\n}\n",
    "go": "package main\nfunc main() { nonsense() }\n",
    "java": "class Bot {\n  int two() { return nonsense; }\n}\n",
    "zig": "pub fn main() void {\n  nonsense();\n}\n",
}
"""Sources whose second line no compiler takes."""
CURIOUS = {
    "c": '#include "{path}"\nint main(void) {{ return 0; }}',
    "cpp": '#include "{path}"\nint main() {{ return 0; }}',
    "rust": 'fn main() {{ println!("{{}}", include_str!("{path}")); }}',
    "go": 'package main\nimport _ "embed"\n//go:embed {path}\nvar text string\nfunc main() {{ println(text) }}',
    "zig": 'pub fn main() void {{ @import("std").debug.print("{{s}}", .{{@embedFile("{path}")}}); }}',
}
"""Sources that take a file of the machine into the program; Java has no word for that."""
LEAPING = {
    "c": "#include <unistd.h>\n#include <sys/socket.h>\n#include <stdio.h>\nint main(void) {"
    'if (fork() >= 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0 || fopen("/etc/passwd", "r")) return 1;'
    'fputs("held\\n", stderr); return 3; }',
    "cpp": "#include <unistd.h>\n#include <fstream>\n#include <iostream>\nint main() {"
    'if (fork() >= 0 || std::ifstream("/etc/passwd").is_open()) return 1; std::cerr << "held\\n"; return 3; }',
    "rust": "use std::{fs, net, process};\nfn main() {"
    'if fs::read("/etc/passwd").is_ok() || net::TcpListener::bind("127.0.0.1:0").is_ok()'
    ' || fs::write("/bot/x", "x").is_ok() || process::Command::new("/bot/bot.out").spawn().is_ok() { return; }'
    'eprintln!("held"); process::exit(3) }',
    "go": 'package main\nimport ("net"; "os"; "os/exec")\nfunc main() {\n_, file := os.ReadFile("/etc/passwd")\n'
    '_, door := net.Listen("tcp", "127.0.0.1:0")\nif file == nil || door == nil || exec.Command("/bot/bot.out").Run()'
    ' == nil { os.Exit(1) }\nprintln("held")\nos.Exit(3) }',
    "java": "import java.io.*;\nclass Bot { public static void main(String[] words) {\n"
    'try { new FileReader("/etc/passwd"); System.exit(1); } catch (IOException held) { }\n'
    "try { new java.net.ServerSocket(0); System.exit(1); } catch (Throwable held) { }\n"
    'try { new ProcessBuilder("/bot/bot.out").start(); System.exit(1); } catch (Throwable held) { }\n'
    'System.err.println("held"); System.exit(3); } }',
}
"""Programs that try a file, a socket and a process; in each something catches what refuses it."""

GREEDY = {
    "c": "char big[200 << 20] = {1}; int main(void) { return big[0]; }",
    "cpp": "template <int n> struct A : A<n + 1> {}; A<0> a; int main() {}",
    "rust": 'static BIG: [u8; 200 << 20] = [7; 200 << 20]; fn main() { print!("{}", BIG[std::env::args().count()]); }',
    "go": "package main\nvar big = [200 << 20]byte{7: 1}\nfunc main() { println(big[8]) }",
}
"""Sources that want more of memory, depth or room than a build is given."""


def folder_with(folder: Path, language: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    (folder / source_of(language)).write_text(text)
    return folder


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a worker's, in which each language's bot is laid out once."""
    folder = tmp_path_factory.mktemp("stored")
    for place in (folder, *folder.parents[:2]):
        place.chmod(0o755)
    return folder


def laid(stored: Path, language: str, text: str, name: str) -> Path:
    command = (language, source_of(language))
    return lay_out_bot(stored / f"{language}-{name}", command, lambda: [(source_of(language), text.encode())])


PLAYED = [(tier, name) for tier in held_tiers() for name in HERE if not lacking(cage_of(tier), name)]


def test_what_needs_more_than_libraries_is_not_played_where_all_bots_see_the_same() -> None:
    left = {(tier, name) for tier in held_tiers() for name in HERE} - set(PLAYED)
    assert left <= {("forkserver", "java")}
    for tier, name in left:
        assert "BOT_CAGE=bwrap plays it" in lacking(cage_of(tier), name)


@pytest.mark.slow
@pytest.mark.parametrize(("tier", "language"), PLAYED)
def test_a_bot_in_each_language_is_built_and_plays_within_its_memory(tier: str, language: str, stored: Path) -> None:
    bot = laid(stored, language, BOTS[language], "good")
    with caged(cage_of(tier), "bot", bot, (language, source_of(language))) as player:
        player.greet(HELLO)
        assert [player.choose(question(number)).index for number in (1, 2, 3)] == [1, 1, 1]
        used = usage(player.pid)
    assert used.memory < 128 * MIB
    assert used.threads < 32


@pytest.mark.parametrize("language", [name for name in HERE if name == "java"])
def test_a_warning_of_the_jvm_is_no_line_of_its_bot(language: str) -> None:
    *runner, _jar = LANGUAGES[language].runner
    warned = subprocess.run([*runner, "-XX:+UseLargePages", "-version"], capture_output=True, text=True, check=True)
    assert "UseLargePages disabled" in warned.stderr
    assert warned.stdout == ""


@pytest.mark.slow
@pytest.mark.parametrize(("tier", "language"), [(tier, name) for tier, name in PLAYED if name in LEAPING])
def test_a_bot_in_each_language_is_held(tier: str, language: str, stored: Path) -> None:
    bot = laid(stored, language, LEAPING[language], "leaping")
    with caged(cage_of(tier), "bot", bot, (language, source_of(language))) as player:
        player.greet(HELLO)
        with pytest.raises(NoAnswer, match="crashed: held"):
            player.choose(question())


@pytest.mark.parametrize("language", HERE)
def test_a_source_that_does_not_compile_is_told_by_file_and_line_with_the_limits(language: str, tmp_path: Path) -> None:
    with pytest.raises(BuildFailed) as refused:
        build(folder_with(tmp_path, language, BROKEN[language]), language, source_of(language))
    said = str(refused.value)
    assert f"{source_of(language)}:2" in said
    assert "nonsense" in said
    assert "MiB of memory and" in said
    assert "`ftk check` tries the same at home" in said


@pytest.mark.parametrize("language", HERE)
def test_a_version_that_does_not_compile_leaves_nothing_behind(language: str, tmp_path: Path) -> None:
    with pytest.raises(BuildFailed):
        laid(tmp_path / "stored", language, BROKEN[language], "bad")
    assert list((tmp_path / "stored").iterdir()) == []


@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "/proc/self/mountinfo", "/usr/bin/env"])
@pytest.mark.parametrize("language", [name for name in HERE if name in CURIOUS])
def test_a_source_takes_nothing_of_the_machine_into_its_program(language: str, path: str, tmp_path: Path) -> None:
    with pytest.raises(BuildFailed):
        build(folder_with(tmp_path, language, CURIOUS[language].format(path=path)), language, source_of(language))


def test_what_a_compiler_says_of_what_it_takes_is_kept_for_the_author(tmp_path: Path) -> None:
    wordy = "#warning mind the gap\n" + BOTS["c"]
    bot = laid(tmp_path, "c", wordy, "wordy")
    tmp_path.chmod(0o755)
    with caged(cage_of(held_tiers()[0]), "bot", bot, ("c", source_of("c"))) as player:
        assert "mind the gap" in player.built
    assert (bot / BUILT).is_file()
    assert not (bot / BINARY).stat().st_mode & 0o222


@pytest.mark.slow
@pytest.mark.parametrize("language", [name for name in HERE if name in GREEDY])
def test_a_build_that_wants_too_much_is_ended_with_its_limits(language: str, tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match=r"MiB|bytes"):
        build(folder_with(tmp_path, language, GREEDY[language]), language, source_of(language))


def test_each_row_of_the_table_can_be_called() -> None:
    ends = [row.suffix for row in LANGUAGES.values()]
    assert len(set(ends)) == len(ends), "a file's ending says its language"
    for name, row in LANGUAGES.items():
        assert row.compiler or row.runner or row.prebuilt, f"nothing starts a bot in {name}"
        for step in row.compiler.steps if row.compiler else ():
            assert step[0] in row.compiler.programs, f"{name}: {step[0]}"  # type: ignore[union-attr]  # the loop says so
