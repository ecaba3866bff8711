"""Leagues as pure functions, without a server: events, state, pairing, standings and verification."""
