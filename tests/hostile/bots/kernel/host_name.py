# expects: held
# control: needs root
@attempt
def reach():
    """Give the machine a name of negative length."""
    return reached("sethostname", 0, -1)
