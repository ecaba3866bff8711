# expects: held
# pause: 100
def become():
    """Become another program, that answers for it."""
    os.execve("/bin/sh", ["sh", "-c", 'echo \'{"id":1,"choose":0,"note":"BREACH became a shell"}\''], {})


attempt(become)
