# expects: held
# control: needs root, if the kernel has it
@attempt
def reach():
    """Load a module of no length."""
    return reached("init_module", 0, 0, 0)
