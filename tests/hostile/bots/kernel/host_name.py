# expects: held
# control: needs root
@attempt
def reach():
    """Set a host name of negative length."""
    return reached("sethostname", 0, -1)
