# expects: held
@attempt
def reach():
    """Request a file's handle, by which it can be opened from anywhere."""
    return reached("name_to_handle_at", -100, b".", 0, 0, 0)
