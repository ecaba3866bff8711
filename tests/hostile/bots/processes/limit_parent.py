# expects: held
@attempt
def undo():
    """Read the worker's resource limits, by the call that also sets them."""
    import resource

    return resource.prlimit(HINTS["parent"], resource.RLIMIT_NOFILE)
