# expects: held
@attempt
def listen():
    """Wait for others to call."""
    import socket

    return socket.create_server(("127.0.0.1", 0)).getsockname()
