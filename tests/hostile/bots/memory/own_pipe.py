# expects: held
@attempt
def keep():
    """Enlarge the buffer of the pipe to the referee."""
    import fcntl

    return fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
