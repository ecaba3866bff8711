"""The pure core: games as folds over facts, a referee, and an append-only log.

Nothing here knows of a clock, a process or a database; only `ftk_core.kit` does.
"""

__version__ = "0.1.0"
