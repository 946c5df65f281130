"""Tests of the room's clock, without a card being dealt."""
