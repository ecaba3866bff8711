"""Texts on the drawn game table of Kings Court that explain a match."""
