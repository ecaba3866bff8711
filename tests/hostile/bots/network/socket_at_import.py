# expects: held
@attempt_at_import
def make():
    """Create a socket before the first question."""
    import socket

    return socket.socket(socket.AF_UNIX).fileno()
