# expects: held
@attempt
def reach():
    """Handle page faults, as many kernel exploits do."""
    return syscall("userfaultfd", 0x80001)
