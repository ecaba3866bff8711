# expects: held|crash
# control: if the kernel has it
@attempt
def reach():
    """Make a system call by its x32 number."""
    return syscall(str(0x40000000 | 39))
