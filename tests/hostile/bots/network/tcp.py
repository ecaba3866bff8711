# expects: held
@attempt
def connect():
    """Connect to a port of the machine, where the database could be."""
    import socket

    return socket.create_connection(("127.0.0.1", HINTS["tcp"]), 2).getpeername()
