"""Export of a trained scorer as a bot: a folder that only needs numpy, ready to be checked and uploaded."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from ftk_core.rl.scoring import Scorer
from ftk_core.rl.senses import Senses

PROGRAM = '''"""A trained bot: reads questions into numbers as in training, and takes what is worth most."""

import json
from pathlib import Path

import numpy as np
from ftk_core.kit.bot import run
from reading import size_of, writer
from scoring import Scorer

model = json.loads(Path(__file__).with_name("model.json").read_text())
scorer = Scorer.of(model["weights"])
width, action_width = size_of(model["view"]), size_of(model["action"])
write, write_action = (
    writer(model[name], dict.__getitem__, lambda record: record["kind"]) for name in ("view", "action")
)


def choose(ask):
    """Return the index of the item that is worth most."""
    observation, rows = np.zeros(width, np.float32), np.zeros((len(ask.menu), action_width), np.float32)
    write({"seat": ask.seat, "seats": ask.hello["seats"], "view": ask.view}, observation, 0)
    for row, action in zip(rows, ask.menu):
        write_action(action, row, 0)
    return scorer.best(observation, rows)


if __name__ == "__main__":
    run(choose)
'''


def export(scorer: Scorer, senses: Senses, folder: Path) -> Path:
    """Write the bot into a folder, created if missing, and return the folder; raise OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    model = {"view": senses.plan, "action": senses.action_plan, "weights": scorer.kept()}
    (folder / "model.json").write_text(json.dumps(model))
    (folder / "bot.py").write_text(PROGRAM)
    for name in ("reading.py", "scoring.py"):
        (folder / name).write_text((files("ftk_core.rl") / name).read_text())
    return folder
