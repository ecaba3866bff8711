# expects: held
@attempt
def undo():
    """Raise the limit of processor time."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "no limit of time"
