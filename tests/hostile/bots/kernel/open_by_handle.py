# expects: held
# control: needs root
@attempt
def reach():
    """Open a file by a handle, past every folder."""
    return reached("open_by_handle_at", -100, 0, 0)
