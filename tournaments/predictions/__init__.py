"""Spectators' predictions: the bot that will win at a table, the group of bots that meet in a league round."""
