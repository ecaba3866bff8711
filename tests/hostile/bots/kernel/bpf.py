# expects: held
# control: needs root
@attempt
def reach():
    """Load a program into the kernel."""
    return reached("bpf", -1, 0, 0)
