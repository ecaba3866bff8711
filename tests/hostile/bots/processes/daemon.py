# expects: held
@attempt
def outlive():
    """Leave a sleeping process behind in a session of its own."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)
    os.setsid()
    if os.fork() == 0:
        import time

        for descriptor in range(3):
            os.close(descriptor)
        time.sleep(30)
    return os._exit(0)
