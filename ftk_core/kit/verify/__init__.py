"""Verification of matches and leagues without a server."""
