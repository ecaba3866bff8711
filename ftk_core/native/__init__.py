"""Native (C++) rules of the games, a hundred times faster than the Python rules.

Both produce the same states, the same menus (lists of the moves that a seat can choose) and the same facts (events).
"""
