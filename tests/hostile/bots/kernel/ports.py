# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Ask for a privilege level at the processor's ports that does not exist."""
    return reached("iopl", 4)
