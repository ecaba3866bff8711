"""The seccomp filter: system call numbers, the policy, and the assembler."""
