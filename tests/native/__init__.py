"""Competitors in C++: built, played and attacked."""
