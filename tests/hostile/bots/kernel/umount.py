# expects: held
@attempt
def reach():
    """Unmount a file system, with invalid flags."""
    return reached("umount2", b"/", 0x40000000)
