# expects: held
@attempt
def listen():
    """Listen for connections."""
    import socket

    return socket.create_server(("127.0.0.1", 0)).getsockname()
