"""Continuous ladders: for each game, matches outside leagues that start at a steady rate and have their own ratings."""
