# expects: held
# control: needs root, if the kernel has it
@attempt
def reach():
    """Load an empty kernel module."""
    return reached("init_module", 0, 0, 0)
