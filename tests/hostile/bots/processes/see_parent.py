# expects: held
@attempt
def look():
    """Learn that the worker is there, by asking for its session."""
    return f"it is in session {os.getsid(HINTS['parent'])}"  # 0 where its leader is outside our PID namespace
