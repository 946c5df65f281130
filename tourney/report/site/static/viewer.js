// Steps through the hands of a table. How a round is written stands in tourney/game/hand_notation.py and,
// for games that have a way of their own, in their folders.
"use strict";
(() => {
  const told = JSON.parse(document.getElementById("hands-data").textContent);
  const byId = (id) => document.getElementById(id);
  const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
  const RANK_WORDS = { J: "jack", Q: "queen", K: "king", A: "ace" };
  const SUITS = ["♠", "♥", "♣", "♦"], SUIT_WORDS = ["spades", "hearts", "clubs", "diamonds"];
  const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const MOVES = ["", "hits", "stands", "doubles", "splits", "surrenders", "takes insurance", "declines insurance"];
  const SPLIT = 4, DOUBLE = 3, INSURE = 6;
  const ENDS = ["natural", "bust", "wins: the dealer is bust", "wins", "loses", "push", "surrendered",
    "loses to a natural", "push: two naturals"];
  const TOKENS = /\(\d+(?:,\d+)?\)|[\^_!-][a-zA-Z]|=\d|\$\d|[a-zA-Z]|\d|~|#/g;

  const code = (letter) => LETTERS.indexOf(letter);
  const rank = (card) => RANKS[card % 13];
  const name = (card) => `${RANK_WORDS[rank(card)] ?? rank(card)} of ${SUIT_WORDS[Math.floor(card / 13)]}`;
  const short = (card) => rank(card) + SUITS[Math.floor(card / 13)];
  const chips = (parts) => (parts / told.unit).toLocaleString("en", { maximumFractionDigits: 2 }).replace("-", "−");

  const gain = (parts) => (parts > 0 ? "+" : parts < 0 ? "−" : "±") + chips(Math.abs(parts));

  const total = (cards) => {
    let sum = 0, aces = 0;
    for (const card of cards) {
      const place = card % 13;
      if (place === 12) { aces += 1; sum += 11; } else sum += Math.min(place + 2, 10);
    }
    while (sum > 21 && aces) { sum -= 10; aces -= 1; }
    return { sum, soft: aces > 0 && cards.length > 0 };
  };
  const sumWords = (cards) => {
    const { sum, soft } = total(cards);
    return soft && sum < 21 ? `soft ${sum}` : String(sum);
  };

  // A round as states of the table, one after each thing that happened.
  const read = (block, number) => {
    const [head, wagers, ...rest] = block.rounds[number].split("|"), events = rest.join("|");
    const next = number + 1 < block.rounds.length ? block.rounds[number + 1].split("|")[0].split(",") : block.last;
    const count = block.seats.length;
    const who = (seat) => told.names[block.seats[seat]] + (block.seats.filter((each) => each === block.seats[seat]).length > 1 ? ` (seat ${seat + 1})` : "");
    const state = {
      before: head.split(","), after: next, wagers: wagers.split(","), dealer: [], seats: [], table: [], who, count,
    };
    for (let seat = 0; seat < count; seat += 1) state.seats.push({ hands: [{ cards: [], end: "" }], discards: [] });
    if (isPlain(block)) return readTurns(state, JSON.parse(events));
    return told.points ? readStraights(state, events) : readBlackjack(state, events);
  };

  // A game without a way of its own: a list of turns, in words.
  const isPlain = (block) => block.rounds[0].split("|")[2].startsWith("[");
  const FAULT = -2;
  const readTurns = (state, turns) => {
    const steps = [], now = state.seats.map(() => ({ seen: "", did: "" }));
    const keep = (words, lit) => steps.push({ words, now: lit, state: now.map((each) => ({ ...each })) });
    keep(`The ${told.round} begins`, null);
    for (const [seat, place, seen, did] of turns) {
      now[seat] = { seen: seen || now[seat].seen, did };
      const said = place === FAULT ? ` is ${did}` : `${seen ? ` sees ${seen}` : "’s stand-in"}: ${did}`;
      keep(state.who(seat) + said, seat);
    }
    return { state, steps };
  };

  const readBlackjack = (state, events) => {
    const steps = [];
    let seat = 0, hand = 0;
    const keep = (words, now) => steps.push({ words, now, state: JSON.parse(JSON.stringify({
      dealer: state.dealer, seats: state.seats, wagers: state.wagers })) });
    const mine = () => {
      const hands = state.seats[seat].hands;
      while (hands.length <= hand) hands.push({ cards: [], end: "" });
      return hands[hand];
    };
    const whose = () => (state.seats[seat].hands.length > 1 ? `${state.who(seat)}, hand ${hand + 1},` : state.who(seat));
    const placed = state.wagers.map((wager, place) => (wager ? `${state.who(place)} wagers ${chips(wager)}` : "")).filter(Boolean);
    if (placed.length) keep(placed.join("; "), null);
    for (const token of events.match(TOKENS) ?? []) {
      const mark = token[0];
      if (mark === "(") {
        const [to, which] = token.slice(1, -1).split(",").map(Number);
        seat = to; hand = which ?? 0;
      } else if (mark === "~") keep("The shoe is shuffled", null);
      else if (mark === "#") keep(`${whose()} is at fault; a stand-in plays on`, null);
      else if (mark === "^" || mark === "_") {
        const card = code(token[1]);
        state.dealer.push({ card, down: mark === "_" });
        const up = state.dealer.filter((each) => !each.down).map((each) => each.card);
        keep(mark === "_" ? "The dealer takes a card face down" : `The dealer takes the ${name(card)}: ${sumWords(up)}`, "dealer");
      } else if (mark === "!") {
        const hole = state.dealer.find((each) => each.down);
        if (hole) hole.down = false; else state.dealer.push({ card: code(token[1]), down: false });
        keep(`The dealer turns the ${name(code(token[1]))}: ${sumWords(state.dealer.map((each) => each.card))}`, "dealer");
      } else if (mark === "=") {
        mine().end = ENDS[Number(token[1])];
        keep(`${whose()} ${["natural", "bust", "push", "surrendered"].some((word) => ENDS[Number(token[1])].startsWith(word)) ? "– " : ""}${ENDS[Number(token[1])]}`, null);
      } else if (mark === "$") keep(`${whose()}: insurance is ${token[1] === "1" ? "paid" : "lost"}`, null);
      else if (/\d/.test(mark)) {
        const move = Number(token);
        if (move === SPLIT) {
          const hands = state.seats[seat].hands;
          hands.push({ cards: [mine().cards.pop()], end: "" });
        }
        if (move === DOUBLE) mine().doubled = true;
        keep(`${whose()} ${MOVES[move]}`, null);
      } else {
        const card = code(token);
        mine().cards.push(card);
        keep(`${whose()} is dealt the ${name(card)}: ${sumWords(mine().cards)}`, `${seat}-${hand}`);
      }
    }
    return { state, steps };
  };

  const readStraights = (state, events) => {
    const steps = [];
    state.seats.forEach((each, seat) => {
      each.hands = [[...(state.wagers[seat] ?? "")].map(code).sort((a, b) => a - b)];
    });
    let seat = -1;
    const keep = (words, now) => steps.push({ words, now, state: JSON.parse(JSON.stringify({ seats: state.seats, table: state.table })) });
    keep("Thirteen cards each are dealt", null);
    for (const token of events.match(TOKENS) ?? []) {
      if (token[0] === "(") { seat = Number(token.slice(1, -1)) - 1; continue; }
      if (token === "#") { keep(`${state.who((seat + 1) % 4)} is at fault; a stand-in plays on`, null); continue; }
      if (token === "~") continue;
      seat = (seat + 1) % 4;
      const isDiscard = token[0] === "-", card = code(token.at(-1));
      const own = state.seats[seat];
      own.hands[0] = own.hands[0].filter((each) => each !== card);
      (isDiscard ? own.discards : state.table).push(card);
      keep(`${state.who(seat)} ${isDiscard ? "discards" : "plays"} the ${name(card)}`, card);
    }
    return { state, steps };
  };

  const node = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const cardNode = (card, { down = false, small = false, now = false } = {}) => {
    const suit = Math.floor(card / 13);
    const made = node("span", `card${down ? " down" : suit % 2 ? " red" : ""}${small ? " small" : ""}${now ? " now" : ""}`);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", down ? "a card face down" : name(card));
    if (!down) made.append(node("span", "", rank(card)), node("span", "", SUITS[suit]));
    return made;
  };

  const drawTurns = (felt, { state, steps }, step) => {
    const isEnd = step === steps.length - 1;
    steps[step].state.forEach(({ seen, did }, seat) => {
      const before = state.before[seat], after = state.after[seat];
      if (before === "" || before === undefined) return;
      const place = node("section", "seat"), who = node("p", "who"), line = node("div", "hand");
      who.append(node("b", "", state.who(seat)), node("span", "", `has ${chips(before)}`));
      if (isEnd && after !== null && after !== "" && after !== undefined) {
        who.append(node("span", "", `ends with ${chips(after)} (${gain(after - before)})`));
      }
      if (seen) line.append(node("span", "sum", seen));
      if (did) line.append(node("span", "end", did));
      place.append(who, line);
      felt.append(place);
    });
  };

  const drawBlackjack = (felt, { state, steps }, step) => {
    const { state: now, now: lit } = steps[step];
    const row = (title, extra) => {
      const place = node("section", "seat"), who = node("p", "who");
      who.append(node("b", "", title));
      extra.filter(Boolean).forEach((each) => who.append(node("span", "", each)));
      place.append(who);
      felt.append(place);
      return place;
    };
    const dealer = row("Dealer", []), cards = node("div", "hand");
    now.dealer.forEach((each, place) => cards.append(cardNode(each.card, {
      down: each.down, now: lit === "dealer" && place === now.dealer.length - 1 })));
    const up = now.dealer.filter((each) => !each.down).map((each) => each.card);
    if (up.length) cards.append(node("span", "sum", sumWords(up)));
    dealer.append(cards);
    const isEnd = step === steps.length - 1;
    now.seats.forEach((seat, number) => {
      const before = state.before[number], after = state.after[number];
      if ((before === "" || before === undefined) && !seat.hands[0].cards.length) return;
      const wager = state.wagers[number];
      const place = row(state.who(number), [
        before === "" ? "stand-in" : `has ${chips(before)}`, wager ? `wagers ${chips(wager)}` : "",
        isEnd && after !== null && after !== "" && after !== undefined && before !== ""
          ? `ends with ${chips(after)} (${gain(after - before)})` : "",
      ]);
      seat.hands.forEach((hand, which) => {
        const line = node("div", "hand");
        hand.cards.forEach((card, at) => line.append(cardNode(card, {
          now: lit === `${number}-${which}` && at === hand.cards.length - 1 })));
        if (hand.cards.length) line.append(node("span", "sum", sumWords(hand.cards) + (hand.doubled ? ", doubled" : "")));
        if (hand.end) line.append(node("span", "end", hand.end));
        place.append(line);
      });
    });
  };

  const drawStraights = (felt, { state, steps }, step) => {
    const { state: now, now: lit } = steps[step];
    const section = (title, extra, cards, small) => {
      const place = node("section", "seat"), who = node("p", "who"), line = node("div", "hand");
      who.append(node("b", "", title), ...extra.filter(Boolean).map((each) => node("span", "", each)));
      cards.forEach((card) => line.append(cardNode(card, { small, now: card === lit })));
      place.append(who, line);
      felt.append(place);
    };
    SUITS.forEach((_, suit) => {
      const played = now.table.filter((card) => Math.floor(card / 13) === suit)
        .sort((a, b) => ((a + 1) % 13) - ((b + 1) % 13));
      section(SUIT_WORDS[suit], [], played, true);
    });
    const isEnd = step === steps.length - 1;
    now.seats.forEach((seat, number) => section(state.who(number), [
      `has ${state.before[number]} points`, isEnd ? `ends with ${state.after[number]}` : "",
      seat.discards.length ? `discarded ${seat.discards.map(short).join(" ")}` : "",
    ], seat.hands[0], true));
  };

  let block = told.blocks[0], number = 0, step = 0, round = null, mark = null;
  const first = () => block.first_round, last = () => block.first_round + block.rounds.length - 1;

  const show = (speaks) => {
    const { steps } = round, felt = byId("felt"), log = byId("log");
    felt.replaceChildren();
    felt.classList.toggle("points", told.points);
    (isPlain(block) ? drawTurns : told.points ? drawStraights : drawBlackjack)(felt, round, step);
    log.replaceChildren(...steps.slice(0, step + 1).map((each, place) => {
      const line = node("li", "", each.words);
      if (place === step) line.setAttribute("aria-current", "step");
      return line;
    }));
    byId("said").textContent = speaks ? steps[step].words : "";
    byId("round").value = first() + number;
    byId("of").textContent = first() > 1 ? `of ${first()} to ${last()}` : `of ${last()}`;
    byId("step-back").disabled = byId("round-back").disabled = false;
    if (number === 0) { byId("round-back").disabled = step === 0; byId("step-back").disabled = step === 0; }
    const isLast = number === block.rounds.length - 1;
    byId("step-on").disabled = isLast && step === steps.length - 1;
    byId("round-on").disabled = isLast;
    if (mark) mark(first() + number);
    history.replaceState(null, "", `#${told.blocks.length > 1 ? `${block.seating}.` : ""}${first() + number}`);
  };
  const go = (to, at) => {
    number = Math.max(0, Math.min(block.rounds.length - 1, to));
    round = read(block, number);
    step = at === "end" ? round.steps.length - 1 : 0;
  };
  const stepOn = () => {
    if (step < round.steps.length - 1) step += 1;
    else if (number < block.rounds.length - 1) go(number + 1, "start");
    show(true);
  };
  const stepBack = () => {
    if (step > 0) step -= 1;
    else if (number > 0) go(number - 1, "end");
    show(true);
  };
  const roundOn = () => { if (number < block.rounds.length - 1) go(number + 1, "end"); show(true); };
  const roundBack = () => { if (number > 0) go(number - 1, "end"); else step = 0; show(true); };

  byId("step-on").addEventListener("click", stepOn);
  byId("step-back").addEventListener("click", stepBack);
  byId("round-on").addEventListener("click", roundOn);
  byId("round-back").addEventListener("click", roundBack);
  byId("round").addEventListener("change", (event) => { go(Number(event.target.value) - first(), "end"); show(true); });
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || /INPUT|SELECT/.test(event.target.tagName)) return;
    const does = { ArrowRight: stepOn, ArrowLeft: stepBack, ArrowDown: roundOn, ArrowUp: roundBack }[event.key];
    if (does) { event.preventDefault(); does(); }
  });

  const choose = (which) => {
    block = told.blocks[which];
    const input = byId("round");
    input.min = first();
    input.max = last();
    const value = (head) => { const parts = head.split(",")[block.seat]; return parts === "" ? null : parts / told.unit; };
    const heads = block.rounds.map((line) => value(line.split("|")[0]));
    const end = block.last[block.seat];
    const values = [...heads, end === null || end === undefined ? null : end / told.unit];
    const xs = values.map((_, place) => first() + place);
    mark = values.length > 2 ? Curves.path(byId("path"), xs, values, (at) => { go(at - first(), "end"); show(true); }) : null;
  };

  // An address may name a round, after its seating where there are several: #7 or #2.7.
  const visit = () => {
    const wanted = /^#(?:(\d+)\.)?(\d+)$/.exec(location.hash);
    const which = wanted && wanted[1]
      ? Math.max(0, told.blocks.findIndex((each) => each.seating === Number(wanted[1]))) : 0;
    byId("seating").value = which;
    choose(which);
    go(wanted ? Number(wanted[2]) - first() : 0, "end");
    show(false);
  };

  byId("viewer").hidden = false;
  const seating = byId("seating");
  const isLong = told.blocks.some((each) => each.first_round > 1);
  told.blocks.forEach((each, place) => {
    const from = isLong ? `from round ${each.first_round}: ` : "";
    const option = node("option", "", from + each.seats.map((seat) => told.names[seat]).join(", "));
    option.value = place;
    seating.append(option);
  });
  byId("seating-field").hidden = told.blocks.length < 2;
  seating.addEventListener("change", () => { choose(Number(seating.value)); go(0, "end"); show(true); });
  addEventListener("hashchange", visit);
  visit();
})();
