# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Request an invalid privilege level for I/O ports."""
    return reached("iopl", 4)
