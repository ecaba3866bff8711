# expects: held
@attempt
def connect():
    """Connect to an abstract socket, which has no file."""
    import socket

    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect("\0" + HINTS["abstract"])
        return "connected"
