# expects: held
@attempt
def undo():
    """Undo that it dies with the worker (PR_SET_PDEATHSIG)."""
    import ctypes

    return ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0 and "it may outlive the worker"
