"""Clusters: a real scheduler, real workers, and some of them killed."""
