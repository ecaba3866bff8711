"""No bot reads the machine's memory, load or processes: what one bot uses would be a message to another."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.cage.plan import BINARY
from bots.cage.spawn import caged
from ftk_core.players import Hello
from tests.support.cage.bots import bot_in, question
from tests.support.hostile.programs import become_node, put_program, uncaged
from tests.support.machine import cage_of, have, held_tiers

EVERYWHERE = pytest.mark.parametrize("tier", held_tiers())
needs_compiler = pytest.mark.skipif(not have("cc"), reason="there is no compiler")
HELLO = Hello(game="pig", version=1, seat=0, seats=2, move_ms=1000, bank_ms=0)
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
def test_the_kernel_tells_no_bot_of_the_machine(
    tier: str, runtime: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if runtime == "c as node":
        become_node(monkeypatch)
    tmp_path.chmod(0o755)
    put_program(tmp_path, "facts.c")
    with caged(cage_of(tier), "facts", tmp_path, ("c", BINARY)) as player:
        player.greet(HELLO)
        player.choose(question())
        assert player.notes[0][1] == "refused: Operation not permitted"


@needs_compiler
def test_without_a_cage_it_tells(tmp_path: Path) -> None:
    put_program(tmp_path, "facts.c")
    with uncaged(tmp_path, "c", "facts.c", "") as player:
        player.greet(HELLO)
        player.choose(question())
        assert player.notes[0][1].startswith("free ")


@pytest.mark.slow
@pytest.mark.skipif(not have("node"), reason="there is no node")
@EVERYWHERE
def test_memory_that_a_bot_holds_is_not_seen_by_its_rival(tier: str, tmp_path: Path) -> None:
    with (
        bot_in(tier, tmp_path / "reads", NODE, "bot.js", "node") as reader,
        bot_in(tier, tmp_path / "holds", HOLDER, "bot.js", "node") as holder,
    ):
        for number in (1, 2):
            reader.choose(question(number))
            holder.choose(question(number))
        (_, before), (_, after) = reader.notes
    assert before == after
