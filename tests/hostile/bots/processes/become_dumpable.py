# expects: held
@attempt
def undo():
    """Allow other processes to inspect it (PR_SET_DUMPABLE)."""
    import ctypes

    return ctypes.CDLL(None).prctl(4, 1, 0, 0, 0) == 0 and "dumpable"
