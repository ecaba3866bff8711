# expects: held
@attempt
def reach():
    """Learn how busy the machine is, and how much memory the others use."""
    return reached("sysinfo", 0)
