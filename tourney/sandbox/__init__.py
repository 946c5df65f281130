"""The sandbox: processes that compute and answer, and can do nothing else.

Open `referee` first: it sends questions to a `host` over two pipes (`wire`), and reports a verdict
for every fault; `lockdown` takes a process's rights away, and `native` builds programs in C++.
Nothing is imported on this page, because a host must start quickly.
"""
