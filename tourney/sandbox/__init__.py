"""Players nobody trusts, each in a process of its own that can do nothing but answer.

The referee (`referee`) feeds questions to a host (`host`) over two pipes (`frames`), and whatever
goes wrong there ends in a verdict. Nothing is imported here, because a host must start quickly.
Leaves out who submits what; see docs/explanation/confinement.md for what this does not promise.
"""
