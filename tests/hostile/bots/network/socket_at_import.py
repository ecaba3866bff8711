# expects: held
@attempt_at_import
def make():
    """Make a socket before the first question."""
    import socket

    return socket.socket(socket.AF_UNIX).fileno()
