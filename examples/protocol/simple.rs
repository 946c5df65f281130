//! Simple at blackjack, by docs/reference/protocol.md. Build:
//! rustc --edition 2021 -O -C target-feature=+crt-static -C relocation-model=static simple.rs
//!
//! Everything but `wager` and `hits` is the kit: copy it, and change those two. There is no `fn
//! main` of Rust's: what its library does before that calls `poll`, which nobody needs here.
#![no_main]
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::process::exit;

const FROM_REFEREE: i32 = 3;
const TO_REFEREE: i32 = 4;
const MAGIC: u32 = 0x5954_4F54;
const VERSION: u32 = 1;
const LOADED: u32 = 4;
const ANSWER: u32 = 5;
const WAGER: u8 = 1;
const DRAW: u8 = 2;
const HIT: i64 = 1;
const STAND: i64 = 2;
const MINIMUM: usize = 2; // in a row of the table
const UNKNOWN_VERSION: i32 = 96;

// ---- The player.

fn wager(table: &[u8]) -> i64 {
    i64_at(table, MINIMUM)
}

/// Values as in blackjack, an ace 11; the hand's total, and whether an ace in it counts 11.
fn hits(dealer: u32, total: u32, soft: bool) -> bool {
    match (soft, total) {
        (true, 18) => ![2, 7, 8].contains(&dealer),
        (true, _) => total <= 17,
        (false, 12) => !(4..=6).contains(&dealer),
        (false, 13..=16) => dealer > 6,
        (false, _) => total <= 11,
    }
}

// ---- The kit.

struct Column {
    name: String,
    bytes: usize, // of a number
    width: usize, // numbers of each question; 0 where that differs
}

fn u32_at(bytes: &[u8], place: usize) -> u32 {
    u32::from_le_bytes(bytes[4 * place..4 * place + 4].try_into().unwrap())
}

fn i64_at(bytes: &[u8], place: usize) -> i64 {
    i64::from_le_bytes(bytes[8 * place..8 * place + 8].try_into().unwrap())
}

/// Which columns there are; lines that are not known are left out.
fn columns(lines: &str) -> Vec<Column> {
    let mut found = Vec::new();
    for line in lines.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] != "column" {
            continue;
        }
        let bytes = [1, 4, 8][["B", "i", "q"].iter().position(|&form| form == words[2]).unwrap()];
        found.push(Column { name: words[1].into(), bytes, width: words[3].parse().unwrap() });
    }
    found
}

/// The bytes of a column in the body of ASK.
fn column<'a>(columns: &[Column], body: &'a [u8], name: &str) -> &'a [u8] {
    let (count, last) = (u32_at(body, 0) as usize, u32_at(body, 1) as usize);
    let mut at = 16;
    for each in columns {
        let size = each.bytes * if each.width > 0 { count * each.width } else { last };
        if each.name == name {
            return &body[at..at + size];
        }
        at += size;
    }
    eprintln!("expected a column {name}, got none");
    exit(1)
}

fn value(card: u8) -> u32 {
    match u32::from(card % 13) {
        12 => 11,
        rank => (rank + 2).min(10),
    }
}

fn draws(upcard: u8, hand: &[u8]) -> bool {
    let mut total: u32 = hand.iter().map(|&card| value(card)).sum();
    let mut aces = hand.iter().filter(|&&card| value(card) == 11).count();
    while aces > 0 && total > 21 {
        aces -= 1;
        total -= 10;
    }
    hits(value(upcard), total, aces > 0)
}

fn decide(known: &[Column], body: &[u8]) -> Vec<i64> {
    let [calls, dealer, cards, stops, table] =
        ["calls", "dealer", "cards", "card_stops", "table"].map(|name| column(known, body, name));
    let mut begin = 0;
    let one = |(i, &call): (usize, &u8)| {
        let stop = i64_at(stops, i) as usize;
        let hand = &cards[begin..stop];
        begin = stop;
        match call {
            WAGER => wager(&table[8 * 22 * i..]),
            DRAW if draws(dealer[2 * i], hand) => HIT,
            DRAW => STAND,
            _ => 0,
        }
    };
    calls.iter().enumerate().map(one).collect()
}

#[no_mangle]
pub extern "C" fn main() -> i32 {
    let mut input = unsafe { File::from_raw_fd(FROM_REFEREE) };
    let mut output = unsafe { File::from_raw_fd(TO_REFEREE) };
    let mut known = Vec::new();
    let mut header = [0u8; 16];
    while input.read_exact(&mut header).is_ok() {
        let mut body = vec![0u8; u32_at(&header, 3) as usize];
        input.read_exact(&mut body).unwrap();
        let (kind, answers) = if known.is_empty() {
            if u32_at(&body, 0) != VERSION {
                exit(UNKNOWN_VERSION);
            }
            let (seats, key) = (u32_at(&body, 1) as usize, u32_at(&body, 2) as usize);
            let (at, size) = (16 + seats * (8 + key), u32_at(&body, 3) as usize);
            known = columns(std::str::from_utf8(&body[at..at + size]).unwrap());
            (LOADED, vec![0; seats]) // neither to act nor to watch
        } else {
            (ANSWER, decide(&known, &body))
        };
        let count = answers.len() as u32;
        let head = [MAGIC, kind, u32_at(&header, 2), 16 + 8 * count, count, 0, 0, 0];
        let mut frame: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
        frame.extend(answers.iter().flat_map(|answer: &i64| answer.to_le_bytes()));
        output.write_all(&frame).unwrap();
    }
    exit(0)
}
