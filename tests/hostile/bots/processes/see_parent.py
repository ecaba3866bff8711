# expects: held
@attempt
def look():
    """Detect the worker by asking for its session."""
    # the result is 0 if the session leader is outside our PID namespace
    return f"it is in session {os.getsid(HINTS['parent'])}"
