# expects: held
@attempt
def multiply():
    """Ask for a process by the newest call; a wrong size shows that the kernel was reached."""
    return reached("clone3", 0, 0)
