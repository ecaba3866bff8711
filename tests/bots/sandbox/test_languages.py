"""Languages: a bot in each compiled language is built in a sandbox and is sandboxed like any other bot."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bots.sandbox.bot_folder_layout import create_bot_folder
from bots.sandbox.installed_programming_languages import describe_missing
from bots.sandbox.resource_watchdog import measure_usage
from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from bots.sandbox.sandboxed_compilation import build_program
from ftk_core.kit.bot_sandboxing import BotBuildError
from ftk_core.kit.uploads.programming_languages import LANGUAGES, MIB
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE, COMPILER_OUTPUT_FILE
from ftk_core.players import HelloMessage, NoAnswerError
from tests.support.machine import sandbox_config, working_backends
from tests.support.sandbox.bots import question
from tests.support.sandbox.languages import BOT_SOURCES, INSTALLED_LANGUAGES, source_of

HELLO = HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0)
BROKEN = {
    "typescript": "const two = 2;\nconst = nonsense;\n",
    "c": "int main(void) {\n  return nonsense;\n}\n",
    "cpp": "int main() {\n  return nonsense;\n}\n",
    "rust": "fn main() {\n  nonsense();\n}\n",
    "go": "package main\nfunc main() { nonsense() }\n",
    "java": "class Bot {\n  int two() { return nonsense; }\n}\n",
    "zig": "pub fn main() void {\n  nonsense();\n}\n",
}
"""Sources with a compile error in their second line."""
INCLUDING = {
    "typescript": 'import text from "{path}";\nconsole.log(text);',
    "c": '#include "{path}"\nint main(void) {{ return 0; }}',
    "cpp": '#include "{path}"\nint main() {{ return 0; }}',
    "rust": 'fn main() {{ println!("{{}}", include_str!("{path}")); }}',
    "go": 'package main\nimport _ "embed"\n//go:embed {path}\nvar text string\nfunc main() {{ println(text) }}',
    "zig": 'pub fn main() void {{ @import("std").debug.print("{{s}}", .{{@embedFile("{path}")}}); }}',
}
"""Sources that embed a file of the host; Java has no syntax for that."""
MISSING = r"No such file|not found|invalid pattern|Could not resolve"
"""Compiler messages about a missing file."""
FAILING = {
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
"""Programs that try to open a file, a socket and a process, and catch the error of each."""

GREEDY = {
    "c": "char big[200 << 20] = {1}; int main(void) { return big[0]; }",
    "cpp": "template <int n> struct A : A<n + 1> {}; A<0> a; int main() {}",
    "rust": 'static BIG: [u8; 200 << 20] = [7; 200 << 20]; fn main() { print!("{}", BIG[std::env::args().count()]); }',
    "go": "package main\nvar big = [200 << 20]byte{7: 1}\nfunc main() { println(big[8]) }",
}
"""Sources that need more memory, template depth or disk space than a build may use."""


def folder_with(folder: Path, language: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    (folder / source_of(language)).write_text(text)
    return folder


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like a worker's, with one stored bot in each language."""
    folder = tmp_path_factory.mktemp("stored")
    for place in (folder, *folder.parents[:2]):
        place.chmod(0o755)
    return folder


def store_bot(stored: Path, language: str, text: str, name: str) -> Path:
    command = (language, source_of(language))
    return create_bot_folder(stored / f"{language}-{name}", command, lambda: [(source_of(language), text.encode())])


PLAYED = [
    (backend, name)
    for backend in working_backends()
    for name in INSTALLED_LANGUAGES
    if not describe_missing(sandbox_config(backend), name)
]


def test_the_forkserver_backend_refuses_languages_it_cannot_run_and_recommends_bwrap() -> None:
    left = {(backend, name) for backend in working_backends() for name in INSTALLED_LANGUAGES} - set(PLAYED)
    assert left <= {("forkserver", "java")}
    for backend, name in left:
        assert "BOT_CAGE=bwrap plays it" in describe_missing(sandbox_config(backend), name)


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "language"), PLAYED)
def test_a_bot_in_each_language_is_built_and_plays_within_its_memory_limit(
    backend: str, language: str, stored: Path
) -> None:
    bot = store_bot(stored, language, BOT_SOURCES[language], "good")
    with start_in_sandbox(sandbox_config(backend), "bot", bot, (language, source_of(language))) as player:
        player.greet(HELLO)
        assert [player.choose(question(number)).index for number in (1, 2, 3)] == [1, 1, 1]
        used = measure_usage(player.pid)
    assert used.memory < 128 * MIB
    assert used.threads < 32


@pytest.mark.parametrize(("backend", "language"), [(backend, name) for backend, name in PLAYED if name == "typescript"])
def test_a_typescript_bot_whose_package_json_declares_modules_plays(backend: str, language: str, stored: Path) -> None:
    program = source_of(language)
    files = [(program, BOT_SOURCES[language].encode()), ("package.json", b'{"type": "module"}')]
    bot = create_bot_folder(stored / f"{backend}-modules", (language, program), lambda: files)
    with start_in_sandbox(sandbox_config(backend), "bot", bot, (language, program)) as player:
        player.greet(HELLO)
        assert player.choose(question()).index == 1


@pytest.mark.parametrize("language", [name for name in INSTALLED_LANGUAGES if name == "java"])
def test_a_warning_printed_by_the_jvm_is_not_read_as_an_answer_of_the_bot(language: str) -> None:
    *runner, _jar = LANGUAGES[language].runner
    warned = subprocess.run([*runner, "-XX:+UseLargePages", "-version"], capture_output=True, text=True, check=True)
    assert "UseLargePages disabled" in warned.stderr
    assert warned.stdout == ""


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "language"), [(backend, name) for backend, name in PLAYED if name in FAILING])
def test_a_bot_in_each_language_is_sandboxed(backend: str, language: str, stored: Path) -> None:
    bot = store_bot(stored, language, FAILING[language], "leaping")
    with start_in_sandbox(sandbox_config(backend), "bot", bot, (language, source_of(language))) as player:
        player.greet(HELLO)
        with pytest.raises(NoAnswerError, match="crashed: held"):
            player.choose(question())


@pytest.mark.slow
@pytest.mark.parametrize("language", INSTALLED_LANGUAGES)
def test_a_compile_error_report_names_the_file_the_line_and_the_resource_limits_of_the_compiler(
    language: str, tmp_path: Path
) -> None:
    with pytest.raises(BotBuildError) as refused:
        build_program(folder_with(tmp_path, language, BROKEN[language]), language, source_of(language))
    said = str(refused.value)
    assert f"{source_of(language)}:2" in said
    assert "nonsense" in said
    assert "MiB of memory and" in said
    assert "`ftk check` tries the same at home" in said


@pytest.mark.slow
@pytest.mark.parametrize("language", INSTALLED_LANGUAGES)
def test_a_bot_version_that_does_not_compile_leaves_no_files(language: str, tmp_path: Path) -> None:
    with pytest.raises(BotBuildError):
        store_bot(tmp_path / "stored", language, BROKEN[language], "bad")
    assert list((tmp_path / "stored").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/environ", "/proc/self/mountinfo", "/usr/bin/env"])
@pytest.mark.parametrize("language", [name for name in INSTALLED_LANGUAGES if name in INCLUDING])
def test_building_a_bot_cannot_embed_files_of_the_host(language: str, path: str, tmp_path: Path) -> None:
    with pytest.raises(BotBuildError, match=MISSING):
        build_program(
            folder_with(tmp_path, language, INCLUDING[language].format(path=path)), language, source_of(language)
        )


@pytest.mark.slow
def test_compiler_warnings_are_stored_for_the_author(tmp_path: Path) -> None:
    wordy = "#warning mind the gap\n" + BOT_SOURCES["c"]
    bot = store_bot(tmp_path, "c", wordy, "wordy")
    tmp_path.chmod(0o755)
    with start_in_sandbox(sandbox_config(working_backends()[0]), "bot", bot, ("c", source_of("c"))) as player:
        assert "mind the gap" in player.built
    assert (bot / COMPILER_OUTPUT_FILE).is_file()
    assert not (bot / COMPILED_BOT_FILE).stat().st_mode & 0o222


@pytest.mark.nightly
@pytest.mark.parametrize("language", [name for name in INSTALLED_LANGUAGES if name in GREEDY])
def test_a_build_that_exceeds_its_limits_is_stopped_with_an_error_that_names_the_limits(
    language: str, tmp_path: Path
) -> None:
    with pytest.raises(BotBuildError, match=r"MiB|bytes"):
        build_program(folder_with(tmp_path, language, GREEDY[language]), language, source_of(language))


def test_each_supported_language_has_a_compiler_or_runner_and_a_unique_file_suffix() -> None:
    ends = [row.suffix for row in LANGUAGES.values()]
    assert len(set(ends)) == len(ends), "a file's ending says its language"
    for name, row in LANGUAGES.items():
        assert row.compiler or row.runner or row.prebuilt, f"nothing starts a bot in {name}"
        for step in row.compiler.steps if row.compiler else ():
            assert step[0] in row.compiler.programs, f"{name}: {step[0]}"  # type: ignore[union-attr]  # the loop says so
