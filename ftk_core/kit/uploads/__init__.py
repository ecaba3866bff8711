"""Uploads of bots: packing, validation, limits, programming languages and compilation."""
