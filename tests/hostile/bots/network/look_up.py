# expects: held
@attempt
def look():
    """Look up a name."""
    import socket

    return socket.getaddrinfo("localhost", 80)[0][4]
