"""Asking players: what they are shown, what they may answer, and who is at fault.

What asks a batch of questions (`pool`) knows no engine and no machine code, so that it can sit in
a process of its own, beside players nobody trusts; nothing is imported here, because such a
process must start quickly. Leaves out who deals.
"""
