"""Pig: the smallest game on the shelf, to copy when adding another."""
