"""Continuous ladders: rated matches that the server starts at a steady rate outside leagues."""
