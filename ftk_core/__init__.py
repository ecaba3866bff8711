"""Core of the platform: game rules as pure functions, a referee that plays matches, and a log of their events.

The log is append-only. Rules, referee and log use no clock, no process and no database of their own; a caller can pass
a clock and a log to them. The subpackage `ftk_core.kit` starts bots and measures their time.
"""

__version__ = "1.0.0"
