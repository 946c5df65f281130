"""Tests of published pages in a real Chromium."""
