# expects: held
@attempt
def trace():
    """Call ptrace with an invalid process id."""
    return reached("ptrace", 16, 2**22 + 1, 0, 0)
