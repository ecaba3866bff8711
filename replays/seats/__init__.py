"""Seats that remote bots (programs connected by WebSocket) and people play; questions to them wait in the database."""
