# expects: held
@attempt
def reach():
    """Add swap space, with invalid flags."""
    return reached("swapon", b"/nowhere-at-all", 0x4000_0000)
