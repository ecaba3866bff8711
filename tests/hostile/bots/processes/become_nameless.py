# expects: held
# pause: 100
def become():
    """Become a program that was never a file, by a descriptor of memory."""
    descriptor = syscall("memfd_create", b"x", 0)
    os.write(descriptor, b'#!/bin/sh\necho \'{"id":1,"choose":0,"note":"BREACH became a nameless program"}\'\n')
    os.execve(descriptor, ["x"], {})


attempt(become)
