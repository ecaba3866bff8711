"""Leagues as far as nobody needs a server for them: their facts, their fold, their standings."""
