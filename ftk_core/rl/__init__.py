"""Reinforcement learning: games as PettingZoo and Gymnasium environments (``pip install .[rl]``).

See docs/learning.md.
"""
