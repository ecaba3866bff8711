# expects: held
@attempt
def connect():
    """Connect to a socket in the platform's folder, as the database has one."""
    import socket

    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(HINTS["socket"])
        return "connected"
