"""Spectators' predictions of winners in league rounds."""
