# expects: held
@attempt
def talk():
    """Ask if another process has locked a shared file (F_GETLK)."""
    import fcntl
    import struct

    with open(os.path.join(LIBRARY, "queue.py")) as shared:
        fcntl.fcntl(shared, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 1, 0))
    return "could see a lock on queue.py"
