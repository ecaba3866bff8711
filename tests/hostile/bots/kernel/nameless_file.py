# expects: held
@attempt
def reach():
    """Make a file in memory that no limit counts."""
    return syscall("memfd_create", b"x", 0)
