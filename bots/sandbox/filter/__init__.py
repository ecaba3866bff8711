"""The seccomp filter of bots: the allowed system calls, their numbers, and an assembler."""
