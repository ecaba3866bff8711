"""Registration of a Gymnasium environment for each game, by importing this module.

>>> import gymnasium
>>> seat = gymnasium.make("ftk_core.rl.ids:ftk/pig-v1", opponents=["hold20"], seat=0)
>>> observation, info = seat.reset(seed=1)
>>> seat.observation_space.contains(observation)
True
"""

from __future__ import annotations

import gymnasium

from ftk_core.games import list_games

for _name, _game in list_games().items():
    gymnasium.register(
        f"ftk/{_name}-v{_game.version}", entry_point="ftk_core.rl.single_seat_env:SingleSeatEnv", kwargs={"game": _name}
    )
