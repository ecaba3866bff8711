# expects: held
@attempt
def reach():
    """Put a filter of its own before the sandbox's, at an address that does not exist."""
    return reached("seccomp", 1, 8, 0)
