"""Plug-in with the sequential games of OpenSpiel as games of the arena. Bots in the sandbox may import it."""
