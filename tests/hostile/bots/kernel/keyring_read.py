# expects: held
@attempt
def reach():
    """Look up the keyring of its user."""
    return syscall("keyctl", 0, -4, 1)
