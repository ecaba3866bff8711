"""Host facts: no bot can read the machine's memory, load or processes, which would be a channel to another bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.sandbox.sandboxed_bot_start import start_in_sandbox
from ftk_core.kit.uploads.upload_error_hints import COMPILED_BOT_FILE
from ftk_core.players import HelloMessage
from tests.support.hostile.programs import put_program, run_programs_as_node, start_program_without_sandbox
from tests.support.machine import has_programs, sandbox_config, working_backends
from tests.support.sandbox.bots import question, start_bot_in

EVERYWHERE = pytest.mark.parametrize("backend", working_backends())
needs_compiler = pytest.mark.skipif(not has_programs("cc"), reason="there is no compiler")
HELLO = HelloMessage(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0)
NODE = """
const os = require("os");
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const ask = JSON.parse(line);
  const facts = `${os.freemem()} ${os.loadavg()} ${process.availableMemory ? process.availableMemory() : 0}`;
  if (ask.type === "ask") console.log(JSON.stringify({ id: ask.id, choose: 0, note: facts }));
});
"""
HOLDER = """
const held = [];
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const ask = JSON.parse(line);
  while (held.length < 120) held.push(Buffer.alloc(1 << 20, 1));
  if (ask.type === "ask") console.log(JSON.stringify({ id: ask.id, choose: 0 }));
});
"""


@needs_compiler
@pytest.mark.parametrize("runtime", ["c", "c as node"])
@EVERYWHERE
def test_a_bot_cannot_read_information_about_the_host_from_the_kernel(
    backend: str, runtime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if runtime == "c as node":
        run_programs_as_node(monkeypatch)
    tmp_path.chmod(0o755)
    put_program(tmp_path, "facts.c")
    with start_in_sandbox(sandbox_config(backend), "facts", tmp_path, ("c", COMPILED_BOT_FILE)) as player:
        player.greet(HELLO)
        player.choose(question())
        assert player.notes[0][1] == "refused: Operation not permitted"


@needs_compiler
def test_without_a_sandbox_a_bot_can_read_information_about_the_host(tmp_path: Path) -> None:
    put_program(tmp_path, "facts.c")
    with start_program_without_sandbox(tmp_path, "c", "facts.c", "") as player:
        player.greet(HELLO)
        player.choose(question())
        assert player.notes[0][1].startswith("free ")


@pytest.mark.slow
@pytest.mark.skipif(not has_programs("node"), reason="there is no node")
@EVERYWHERE
def test_a_bot_cannot_see_the_memory_use_of_its_opponent(backend: str, tmp_path: Path) -> None:
    with (
        start_bot_in(backend, tmp_path / "reads", NODE, "bot.js", "node") as reader,
        start_bot_in(backend, tmp_path / "holds", HOLDER, "bot.js", "node") as holder,
    ):
        for number in (1, 2):
            reader.choose(question(number))
            holder.choose(question(number))
        (_, before), (_, after) = reader.notes
    assert before == after
