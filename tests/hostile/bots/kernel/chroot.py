# expects: held
@attempt
def reach():
    """Change the root to a folder that does not exist."""
    return reached("chroot", b"/nowhere-at-all")
