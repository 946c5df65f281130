"""What authors of blackjack players try them with: suites of tests, and mutants for tests."""
