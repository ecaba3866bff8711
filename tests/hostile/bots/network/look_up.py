# expects: held
@attempt
def look():
    """Resolve a host name."""
    import socket

    return socket.getaddrinfo("localhost", 80)[0][4]
