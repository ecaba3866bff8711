# expects: held
@attempt
def multiply():
    """Start a thread, which could compute during the turns of others."""
    import threading

    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    return "a thread"
