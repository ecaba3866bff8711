"""Estimated values of cards, gold and King card effects, for simulated matches of For the King."""
