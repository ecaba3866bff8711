# expects: held
@attempt
def keep():
    """Let the pipe to the referee grow."""
    import fcntl

    return fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
