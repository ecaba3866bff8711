# expects: held
@attempt
def reach():
    """Read the machine's load and memory use."""
    return reached("sysinfo", 0)
