"""Pig: the smallest game, a template for adding others."""
