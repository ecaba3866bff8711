"""Client for the REST API and the WebSockets of an arena (a server that runs matches)."""
