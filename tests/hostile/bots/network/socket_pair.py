# expects: held
@attempt
def make():
    """Create two connected sockets: memory that no limit counts, and a way to pass descriptors."""
    import socket

    return [end.fileno() for end in socket.socketpair()]
