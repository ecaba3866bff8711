"""Leagues without a server: their facts, fold, pairing and standings."""
