# expects: held
# control: if the kernel has it
@attempt
def reach():
    """List the mounts without /proc."""
    return reached("listmount", 0, 0, 0, 0)
