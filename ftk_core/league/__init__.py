"""Leagues (tournaments) as pure functions, without server or database: events, state, pairing, standings and checks."""
