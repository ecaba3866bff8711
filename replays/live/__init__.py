"""WebSocket connections of spectators, who watch matches live, and of remote bots, which play in them."""
