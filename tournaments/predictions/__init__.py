"""Spectators' predictions of the winners at the tables of league rounds."""
