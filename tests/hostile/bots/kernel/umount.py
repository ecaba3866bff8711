# expects: held
@attempt
def reach():
    """Unmount something, with flags that are none."""
    return reached("umount2", b"/", 0x40000000)
