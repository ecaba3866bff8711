# expects: held
# control: needs root
@attempt
def reach():
    """Watch a whole file system, with invalid flags."""
    return reached("fanotify_init", 0x8000_0000, 0)
