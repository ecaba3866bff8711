"""Learning: the games as environments of PettingZoo and Gymnasium (``pip install ftk-arena[rl]``, docs/learning.md)."""
