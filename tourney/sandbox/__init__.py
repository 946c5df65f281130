"""The sandbox: processes for untrusted code, which can only compute and answer.

Start with `referee`, which sends questions to a `host` over two pipes (`wire`) and reports a
verdict for every fault. `lockdown` removes the permissions of a process, and `native` builds C++
programs.
This module imports nothing, because a host must start quickly.
"""
