"""Challenges: sets of matches that authors order for one of their bots against other bots."""
