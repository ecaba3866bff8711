# expects: held
@attempt
def multiply():
    """Start a thread, that could think while the others move."""
    import threading

    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    return "a thread"
