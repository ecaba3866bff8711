"""WebSocket connections of spectators and of remote bots."""
