# expects: held
# control: needs root
@attempt
def reach():
    """Reboot the machine, without the magic numbers, so that nothing happens."""
    return reached("reboot", 0, 0, 0, 0)
