# expects: held
@attempt
def reach():
    """Handle page faults, the tool of many a kernel exploit."""
    return syscall("userfaultfd", 0x80001)
