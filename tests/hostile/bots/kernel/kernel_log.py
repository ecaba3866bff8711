# expects: held
# control: needs root
@attempt
def reach():
    """Read the size of the kernel's log."""
    return syscall("syslog", 10, 0, 0)
