"""Spectators' predictions of winners: in each league round, of every group of bots that meet (table)."""
