#!/usr/bin/env tclsh
# A player of blackjack by lines of JSON: counts high-low, and wagers twice the minimum from two on.
fconfigure stdin -encoding utf-8
fconfigure stdout -encoding utf-8 -translation lf -buffering line

proc parse {line} { lindex [string map {, " " : " " \[ \{ \] \}} $line] 0 }
proc say {number answers} { puts "{\"number\": $number, \"answers\": \[[join $answers ", "]\]}" }

proc act {hand} {
    set total 0; set aces 0
    foreach card $hand {
        set rank [expr {$card % 13}]
        if {$rank == 12} { incr aces; incr total } else { incr total [expr {min($rank + 2, 10)}] }
    }
    expr {$total >= 17 || ($aces && $total >= 8 && $total <= 11) ? 2 : 1}
}

set open [parse [gets stdin]]
if {[dict get $open version] != 1} { exit 96 }
if {[dict get $open game] ne "blackjack"} { puts stderr "I play blackjack"; exit 1 }
set seats [llength [dict get $open rounds]]
for {set i 0} {$i < $seats} {incr i} { set count($i) 0 }
say [dict get $open number] [lrepeat $seats 3]

while {[gets stdin line] >= 0} {
    set ask [parse $line]
    set m [dict get $ask count]
    set col [dict get $ask columns]
    foreach name {seats calls legal table cards card_stops exposed_stops} { set $name [dict get $col $name] }
    set behind [lindex $card_stops end]
    set begin 0; set shown $behind
    set answers {}
    for {set i 0} {$i < $m} {incr i} {
        set seat [lindex $seats $i]
        set end [lindex $card_stops $i]
        set hand [lrange $cards $begin $end-1]
        set begin $end
        set until [expr {$behind + [lindex $exposed_stops $i]}]
        foreach card [lrange $cards $shown $until-1] {
            if {$card == 255} { set count($seat) 0; continue }
            set rank [expr {$card % 13}]
            if {$rank <= 4} { incr count($seat) } elseif {$rank >= 8} { incr count($seat) -1 }
        }
        set shown $until
        set answer 0
        switch [lindex $calls $i] {
            1 {
                set t [expr {22 * $i}]
                set least [lindex $table $t+2]
                set money [lindex $table [expr {$t + 5 + [lindex $table $t]}]]
                set answer $least
                if {$count($seat) >= 2} { set answer [expr {min(2 * $least, [lindex $table $t+3], $money)}] }
            }
            2 { set answer [act $hand] }
            3 {
                set bits [lindex $legal $i]
                set answer [act $hand]
                if {$bits & 128} { set answer 7 } elseif {!($bits & 1 << $answer)} { set answer 2 }
            }
        }
        lappend answers $answer
    }
    say [dict get $ask number] $answers
}
