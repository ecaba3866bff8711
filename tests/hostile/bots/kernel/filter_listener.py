# expects: held
@attempt
def reach():
    """Install a filter of its own, at an invalid address, that runs before that of the sandbox."""
    return reached("seccomp", 1, 8, 0)
