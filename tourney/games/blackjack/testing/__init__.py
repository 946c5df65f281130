"""Tests for blackjack competitors: conformance suites, and mutants to test student tests."""
