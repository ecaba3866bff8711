# expects: held
@attempt
def undo():
    """Raise the memory limit."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "no limit of memory"
