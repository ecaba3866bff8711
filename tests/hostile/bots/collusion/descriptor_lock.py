# expects: held
@attempt
def talk():
    """Lock a shared file by its descriptor (F_OFD_SETLK)."""
    import fcntl
    import struct

    with open(os.path.join(LIBRARY, "heapq.py")) as shared:
        fcntl.fcntl(shared, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 1, 0))
    return "a lock on heapq.py"
