# expects: held
@attempt
def reach():
    """Keep something in the kernel's keyrings, that no namespace parts."""
    return reached("add_key", 0, 0, 0, 0, -3)
