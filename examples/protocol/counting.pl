#!/usr/bin/env perl
# Counting at blackjack in lines of JSON, by docs/reference/protocol.md. Enter it as
# `command: counting.pl`. It is shown all cards, and wagers double while the count is high.
use strict;
use warnings;
use JSON::PP;

my ($VERSION, $WATCHES) = (1, 2);
my ($WAGER, $DRAW, $HIT, $STAND) = (1, 2, 1, 2);
my ($MINIMUM, $BANKROLLS, $WIDTH) = (2, 5, 22);    # of a row of the table
my $SHUFFLED = 255;
my @count;                                         # by seat

sub value {
    my $rank = shift() % 13;
    return $rank == 12 ? 11 : $rank > 8 ? 10 : $rank + 2;
}

sub look {
    my ($seat, @exposed) = @_;
    for my $card (@exposed) {
        my $value = $card == $SHUFFLED ? 0 : value($card);
        if    ($card == $SHUFFLED) { $count[$seat] = 0 }
        elsif ($value >= 10)       { $count[$seat]-- }
        elsif ($value <= 6)        { $count[$seat]++ }
    }
}

sub wager {
    my ($seat, @row) = @_;
    my $double = 2 * $row[$MINIMUM];
    return $count[$seat] >= 2 && $row[$BANKROLLS + $row[0]] >= $double ? $double : $row[$MINIMUM];
}

sub hits {
    my ($dealer, @hand) = @_;
    my ($total, $aces) = (0, scalar grep { value($_) == 11 } @hand);
    $total += value($_) for @hand;
    for (; $aces && $total > 21; $aces--) { $total -= 10 }
    return $total <= 17 || $total == 18 && !grep { $dealer == $_ } 2, 7, 8 if $aces;
    return $dealer < 4 || $dealer > 6 if $total == 12;
    return $total <= 11 || $total <= 16 && $dealer > 6;
}

sub decide {
    my ($asked) = @_;
    my %of = %{ $asked->{columns} };
    my ($hand, $shown, @answers) = (0, $of{card_stops}[-1] // 0);
    my $hands = $shown;    # behind the last hand, exposed cards begin
    for my $i (0 .. $asked->{count} - 1) {
        my ($seat, $call) = ($of{seats}[$i], $of{calls}[$i]);
        my ($stop, $last) = ($of{card_stops}[$i], $hands + $of{exposed_stops}[$i]);
        look($seat, @{ $of{cards} }[$shown .. $last - 1]);
        my @own = @{ $of{cards} }[$hand .. $stop - 1];
        my @row = @{ $of{table} }[$WIDTH * $i .. $WIDTH * $i + $WIDTH - 1];
        ($hand, $shown) = ($stop, $last);
        push @answers,
            $call == $WAGER ? wager($seat, @row)
            : $call == $DRAW ? (hits(value($of{dealer}[2 * $i]), @own) ? $HIT : $STAND)
            :                  0;
    }
    return @answers;
}

$| = 1;    # a line is sent when it is written
while (my $line = <STDIN>) {
    my $asked = decode_json($line);
    my @answers;
    if ($asked->{columns}) { @answers = decide($asked) }
    else {
        exit 96 if $asked->{version} != $VERSION;
        @count   = (0) x @{ $asked->{rounds} };
        @answers = ($WATCHES) x @count;
    }
    print encode_json({ number => $asked->{number}, answers => [ map { $_ + 0 } @answers ] }), "\n";
}
