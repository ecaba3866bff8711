# expects: held
# control: needs root
@attempt
def reach():
    """Stop the machine; the magic numbers are left out, so that nothing can happen."""
    return reached("reboot", 0, 0, 0, 0)
