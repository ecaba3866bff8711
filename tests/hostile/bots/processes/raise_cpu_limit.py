# expects: held
@attempt
def undo():
    """Lift the limit of computing time."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "no limit of time"
