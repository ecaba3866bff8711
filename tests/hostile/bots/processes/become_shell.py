# expects: held
# pause: 100
def become():
    """Execute another program, which answers in its place."""
    os.execve("/bin/sh", ["sh", "-c", 'echo \'{"id":1,"choose":0,"note":"BREACH became a shell"}\''], {})


attempt(become)
