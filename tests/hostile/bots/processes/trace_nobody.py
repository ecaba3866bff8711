# expects: held
@attempt
def trace():
    """Ask for a debugger's call with a process that cannot be."""
    return reached("ptrace", 16, 2**22 + 1, 0, 0)
