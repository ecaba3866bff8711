# expects: held
@attempt
def reach():
    """Create a user namespace, in which it has every capability."""
    return syscall("unshare", 0x10000000) == 0 and "all capabilities"
