# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Learn what is mounted without /proc."""
    return reached("listmount", 0, 0, 0, 0)
