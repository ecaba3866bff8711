"""Export of a trained neural network as a bot, ready for upload."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from ftk_core.rl.action_menu_scorer import ActionScorer
from ftk_core.rl.observation_encoder import ObservationEncoder

PROGRAM = '''"""A trained bot: reads questions into numbers as in training, and takes what is worth most."""

import json
from operator import itemgetter
from pathlib import Path

import numpy as np
from ftk_core.kit.bot import run
from view_encoding import size_of, writer
from action_menu_scorer import ActionScorer

model = json.loads(Path(__file__).with_name("model.json").read_text("utf-8"))
scorer = ActionScorer.of(model["weights"])
width, action_width = size_of(model["view"]), size_of(model["action"])
write, write_action = (writer(model[name], dict.__getitem__, itemgetter) for name in ("view", "action"))


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


def export(scorer: ActionScorer, view_encoder: ObservationEncoder, folder: Path) -> Path:
    """Write a bot that plays by a trained network, and return its folder.

    The bot needs only numpy and `ftk_core.kit.bot`. Raises OSError if a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model = {"view": view_encoder.plan, "action": view_encoder.action_plan, "weights": scorer.to_dict()}
    (folder / "model.json").write_text(json.dumps(model), "utf-8")
    (folder / "bot.py").write_text(PROGRAM, "utf-8")
    for name in ("view_encoding.py", "action_menu_scorer.py"):
        (folder / name).write_text((files("ftk_core.rl") / name).read_text("utf-8"), "utf-8")
    return folder
