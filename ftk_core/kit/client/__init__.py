"""Client for the REST API and the WebSockets of a server."""
