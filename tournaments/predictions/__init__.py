"""Predictions of the winners at the tables of league rounds, by people who watch."""
