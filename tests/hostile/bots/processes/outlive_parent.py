# expects: held
@attempt
def undo():
    """Clear its parent death signal, so that it survives the worker (PR_SET_PDEATHSIG)."""
    import ctypes

    return ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0 and "it may outlive the worker"
