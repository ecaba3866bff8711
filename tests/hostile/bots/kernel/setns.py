# expects: held
@attempt
def reach():
    """Enter a namespace."""
    return reached("setns", -1, 0)
