# expects: held|crash
# control: if the kernel has it
@attempt
def reach():
    """Make a system call by the numbers of x32."""
    return syscall(str(0x40000000 | 39))
