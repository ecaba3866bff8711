"""Spectators' predictions of the winners in a league round."""
