"""Core of the arena: game rules as pure functions, a referee that plays matches, and an append-only log of events.

Only the subpackage `ftk_core.kit` uses clocks, processes or databases.
"""

__version__ = "1.0.0"
