# expects: held
# control: if the kernel has it
@attempt
def reach():
    """Move its memory to another NUMA node."""
    return reached("get_mempolicy", 0, 0, 0, 0, 0)
