"""The sandbox: processes that compute and answer, and can do nothing else.

The referee (`referee`) sends questions to a host (`host`) over two pipes (`wire`), and reports a
verdict for every fault. Nothing is imported here, because a host must start quickly.
"""
