"""Predictions of the rounds of leagues by people who watch them."""
