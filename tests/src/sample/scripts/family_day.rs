//! One long answer with many sources, saved by a browser.

use super::super::script::{Container, Script, Turn, cited};
use super::{CARGO_BIKES, DEPOSIT, DESK, GROUPS, HELMETS, HOURS, RETURNS, desk};

pub(super) fn long_answer() -> Script {
    let plan = Turn::at("2026-11-13T17:26:30+01:00", DESK)
        .asks(
            "Please write the information sheet for our family day on Saturday, 12 December: eight families with children, \
             about twenty bikes, two of them cargo bikes.",
        )
        .thinks(
            "Twenty bikes are a group rental. The sheet needs: reservation, deposits, helmets, cargo bikes, opening hours in \
             winter, returns. I look up each of them and write only what the handbook says.",
        )
        .looks_up("group rental reservation deposit", [GROUPS, DEPOSIT])
        .looks_up("helmets children cargo bikes", [HELMETS, CARGO_BIKES])
        .looks_up("opening hours December returns", [HOURS, RETURNS])
        .says(SHEET)
        .cites([
            cited("[1]", GROUPS),
            cited("[2]", DEPOSIT),
            cited("[3]", HOURS),
            cited("[4]", HELMETS),
            cited("[5]", CARGO_BIKES),
            cited("[6]", RETURNS),
        ])
        .finishes();
    let short = Turn::at("2026-11-13T17:31:05+01:00", DESK)
        .asks("Thanks. Now the same in two sentences, for the notice board.")
        .looks_up("group rental opening hours", [GROUPS, HOURS])
        .says(
            "**Family day, Saturday 12 December:** meet at Pier 4 at 9:45, bikes and helmets are reserved. Be there by 10:15 at \
             the latest, since the reservation is kept for 30 minutes only [1], and bring the bikes back before 18:00 to any other \
             station or before 23:00 to Pier 4 [2].",
        )
        .cites([cited("[1]", GROUPS), cited("[2]", HOURS)])
        .finishes();
    Script {
        container: Container::Har,
        ..desk("desk-family-day-long-answer.har", "desk-4850", vec![plan, short])
    }
}

const SHEET: &str = "\
# Family day, Saturday 12 December

Everything that eight families need to know for a day on about twenty bikes.

## Before the day

Twenty bikes are a **group rental**: groups of 11 to 25 reserve **one week ahead**, by e-mail or at any staffed station, and \
name one person who answers for all bikes [1]. For 12 December that means: no later than **Saturday, 5 December**.

| What | For this group |
|---|---|
| Reserve until | 5 December [1] |
| Responsible person | one name, given with the reservation [1] |
| Deposits | one for every third bike, so seven for twenty bikes [1] |
| Reservation kept | 30 minutes after the agreed time [1] |

A deposit is **40 €** for a city bike and **80 €** for a cargo bike [2]. Which bikes the seven deposits are for is up to the \
counter; please bring enough for two cargo bikes, just in case. Deposits come back in the form in which they were given, when \
the bikes are returned undamaged [2].

## In the morning

From October to March stations are staffed from **8:00 to 18:00** [3]. We suggest to meet at **9:45** and to agree on 10:00 \
with the station: the reservation is then kept until 10:30 [1].

1. The responsible person signs for all bikes.
2. Everybody chooses a bike and a helmet.
3. The two families with cargo bikes take the test ride.
4. Bikes that are not needed after all go back to the counter, free of charge, **until the group rides off** [1].

### Helmets

- Children under 14 ride **with** a helmet [4].
- Helmets are lent free of charge at every staffed station [4].
- A rental to a family includes one child helmet for each child seat [4].
- Own helmets are welcome, of course.

### Cargo bikes

Only four stations lend cargo bikes and take them back: **Old Town**, **Pier 4**, **Shipyard** and **University** [5]. For \
this group, Pier 4 is the best place to start and to end.

- Load at most **100 kg**, heavy things low and in front [5].
- Children sit on the bench with belts closed, **two at most** [5].
- The battery lasts for about 50 km, and the charger stays at the station [5].
- A test ride in the yard is free and takes five minutes; staff insist on it for first-time riders [5].

## On the way

Nothing in the handbook prescribes a route. Twenty bikes ride best in two or three groups of equal speed, with one adult in \
front and one behind.

> If a bike breaks down, call the number on the frame. Say the bike's number first, then where it stands.

## In the evening

A rented bike may be returned at **any staffed station** within opening hours, not only where it was rented [6]. For the two \
cargo bikes that is one of the four stations with a ramp [5].

| Station | Saturday, 12 December | City bikes | Cargo bikes |
|---|---|---|---|
| Pier 4 | until 23:00 [3] | yes | yes |
| Old Town, Shipyard, University | until 18:00 [3] | yes | yes |
| all others | until 18:00 [3] | yes | no |

After closing time the rental runs on until the station opens the next morning; what that costs depends on the season's \
tariff [6]. I have not looked up the tariff, since you did not ask for prices.

## Checklist for the responsible person

- [ ] Reserve until 5 December
- [ ] Names and ages of the children, for the helmets
- [ ] Seven deposits
- [ ] Meet at 9:45, ride at 10:30 at the latest
- [ ] All bikes back by 18:00, or by 23:00 at Pier 4
";
