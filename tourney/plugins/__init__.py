"""How names become objects: plugins found, checked and registered, and competitors' files.

The only home of pluggy. Hooks are for discovery: a strategy decides through bound methods.
"""
