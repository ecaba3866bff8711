# expects: held
@attempt
def undo():
    """Become the parent of orphaned processes (PR_SET_CHILD_SUBREAPER)."""
    import ctypes

    return ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0 and "adopts orphans"
