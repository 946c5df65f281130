"""The portal: its pages, its processes, and who may do what."""
