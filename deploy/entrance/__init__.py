"""Layers before the web application: the HTTP protocol, the gate of requests, the watch over sockets' sessions."""
