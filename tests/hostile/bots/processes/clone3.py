# expects: held
@attempt
def multiply():
    """Start a process by the newest system call; the error about a wrong size shows that the kernel was reached."""
    return reached("clone3", 0, 0)
