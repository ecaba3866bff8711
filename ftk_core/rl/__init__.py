"""Reinforcement learning: games as PettingZoo and Gymnasium environments (``pip install ftk-arena[rl]``).

See docs/learning.md.
"""
