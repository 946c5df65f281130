#!/usr/bin/env node
// Simple at blackjack in lines of JSON, by docs/reference/protocol.md. Enter it as `command: simple.js`.
//
// Everything but `wager` and `hits` is the kit: copy it, and change those two.
"use strict";

const VERSION = 1;
const WAGER = 1, DRAW = 2, HIT = 1, STAND = 2;
const MINIMUM = 2, WIDTH = 22; // of a row of the table
const UNKNOWN_VERSION = 96;

// ---- The player.

const wager = (table) => table[MINIMUM];

// Values as in blackjack, an ace 11; the hand's total, and whether an ace in it counts 11.
function hits(dealer, total, soft) {
  if (soft) return total <= 17 || (total === 18 && ![2, 7, 8].includes(dealer));
  if (total <= 11) return true;
  if (total === 12) return dealer < 4 || dealer > 6;
  return total <= 16 && dealer > 6;
}

// ---- The kit.

function value(card) {
  const rank = card % 13;
  return rank === 12 ? 11 : Math.min(rank + 2, 10);
}

function draws(upcard, hand) {
  const values = hand.map(value);
  let total = values.reduce((sum, each) => sum + each, 0);
  let aces = values.filter((each) => each === 11).length;
  for (; aces && total > 21; aces--) total -= 10;
  return hits(value(upcard), total, aces > 0);
}

function decide({ calls, dealer, cards, card_stops, table }) {
  return calls.map((call, i) => {
    if (call === WAGER) return wager(table.slice(WIDTH * i, WIDTH * (i + 1)));
    if (call !== DRAW) return 0;
    const hand = cards.slice(i ? card_stops[i - 1] : 0, card_stops[i]);
    return draws(dealer[2 * i], hand) ? HIT : STAND;
  });
}

function answer(asked) {
  if (asked.columns) return decide(asked.columns);
  if (asked.version !== VERSION) process.exit(UNKNOWN_VERSION);
  return asked.rounds.map(() => 0); // neither to act nor to watch
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const asked = JSON.parse(line);
    console.log(JSON.stringify({ number: asked.number, answers: answer(asked) }));
  });
