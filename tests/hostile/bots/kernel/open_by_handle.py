# expects: held
# control: needs root
@attempt
def reach():
    """Open a file by its handle, past all permissions of folders."""
    return reached("open_by_handle_at", -100, 0, 0)
