# expects: held
# pause: 100
def become():
    """Execute a program from an in-memory file."""
    descriptor = syscall("memfd_create", b"x", 0)
    os.write(descriptor, b'#!/bin/sh\necho \'{"id":1,"choose":0,"note":"BREACH became a nameless program"}\'\n')
    os.execve(descriptor, ["x"], {})


attempt(become)
