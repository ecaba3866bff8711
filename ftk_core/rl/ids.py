"""Gymnasium registration: importing this module registers an environment id for each game.

>>> import gymnasium
>>> seat = gymnasium.make("ftk_core.rl.ids:ftk/pig-v1", opponents=["hold20"], seat=0)
>>> observation, info = seat.reset(seed=1)
>>> seat.observation_space.contains(observation)
True
"""

from __future__ import annotations

import gymnasium

from ftk_core.games import shelf

for _name, _game in shelf().items():
    gymnasium.register(
        f"ftk/{_name}-v{_game.version}", entry_point="ftk_core.rl.one_seat:OneSeat", kwargs={"game": _name}
    )
