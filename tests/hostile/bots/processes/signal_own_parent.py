# expects: held
@attempt
def signal_it():
    """Send SIGCONT to its parent process, whatever that is: with this right it could also stop it."""
    import signal

    os.kill(os.getppid() or -1, signal.SIGCONT)
    return "woke the process above"
