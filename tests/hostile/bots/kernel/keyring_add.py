# expects: held
@attempt
def reach():
    """Store a key in the kernel's keyrings, which no namespace separates."""
    return reached("add_key", 0, 0, 0, 0, -3)
