"""Core of the platform: rules of the games, a referee that plays matches, and logs of matches."""
# Rules, referee and log use no clock, process or database of their own; a caller can pass a clock and a log.

__version__ = "1.0.0"
