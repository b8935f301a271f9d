"""The words for movements: tables of phrases and the concepts they stand for.

A key lists the concepts of its phrases. A tilde before an action says how easily it gives way to other actions in the
same phrase: `~` for gaits and rest ("stands eating"), `~~` for places ("stands in the water"), `~~~` for verbs of any
movement ("moves at a gallop"), `~~~~` for what stands for an action only if there is no other ("roars"). Phrases are
separated by commas, start with the base form of their first word where that is a verb, and may have articles and
possessives, which reading skips.

`VERBS` are verb phrases, by the group of body plans of which they are commonly said. `NOUNS` name an event or an
animation. `OTHERS` are adverbs, adjectives and everything else. `IGNORED` are phrases that look like movements and are
none.
"""

from __future__ import annotations

ACTIONS = ("idle", "walk", "run", "turn", "back", "jump", "look", "attack", "eat", "die", "fly", "glide", "swim")
"""What a creature can do; an act has one of them."""

MODIFIERS = ("slow", "fast", "left", "right", "around", "forward", "sideways", "up", "down")
"""How and where it does so; `around` is half a turn or more."""

GAITS = ("trot", "pace", "gallop", "bound", "hop", "crawl", "sneak")
"""Named ways of walking and running."""

PHASES = ("start", "stop")
"""A movement that begins or ends."""

PLANS = (
    "biped", "theropod", "bird", "digitigrade", "unguligrade", "plantigrade", "lizard", "hexapod", "spider", "crab",
    "centipede", "snake", "fish", "winged", "tentacled",
)  # fmt: skip
"""The body plans of creatures."""

_LEGGED = " ".join(plan for plan in PLANS if plan not in ("snake", "fish", "tentacled"))
_LARGE = "biped theropod digitigrade unguligrade plantigrade winged"

GROUPS: dict[str, frozenset[str]] = {
    name: frozenset(plans.split())
    for name, plans in {
        "any": " ".join(PLANS),
        "biped": "biped",
        "two legs": "biped theropod bird",
        "legs": _LEGGED,
        "large": _LARGE,
        "four legs": "digitigrade unguligrade plantigrade winged",
        "hoofs": "unguligrade",
        "claws": "theropod bird digitigrade plantigrade lizard winged",
        "jaws": "theropod digitigrade plantigrade lizard snake fish winged",
        "beak": "bird",
        "bugs": "hexapod spider crab centipede",
        "small": "lizard hexapod spider crab centipede",
        "wings": "bird winged hexapod",
        "neck": "theropod bird digitigrade unguligrade plantigrade winged biped lizard snake",
        "land": _LEGGED + " snake",
        "low": "lizard hexapod spider crab centipede snake tentacled",
        "snake": "snake",
        "fish": "fish",
        "tentacled": "tentacled",
        "sting": "spider hexapod",
    }.items()
}
"""The body plans of each group of verbs."""

VERBS: dict[str, dict[str, str]] = {
    "idle": {
        "any": """idle, idle about, idle in place, stay still, stay put, stay in place, stay where it is, stay
            motionless, remain still, remain motionless, remain in place, remain where it is, remain idle, keep
            still, keep perfectly still, hold still, hold its position, do nothing, do nothing at all, do nothing
            in particular, rest quietly, rest in place, wait around, bide its time, hang around, hang about, take
            a break, take a rest, have a rest, catch its breath, breathe quietly, breathe calmly, linger in place,
            freeze in place""",
        "legs": """stand still, stand idle, stand in place, stand quietly, stand motionless, stand around, stand
            there, stand by, stand calmly, stand at ease, stand about, shift its weight, shift its weight from
            side to side, shift from foot to foot""",
        "land": "lie still, sit still, lie in wait, sit quietly, lie quietly, lie around, loaf around",
        "biped": "strike a pose, wait for a bus, stand to attention, kick its heels, twiddle its thumbs",
        "beak": "perch, sit on its perch, roost",
    },
    "~idle": {
        "any": """wait, rest, pause, stay, remain, relax, breathe, loiter, linger, sleep, nap, doze, snooze,
            slumber, fall asleep, go to sleep, nod off, doze off, take a nap, chill, chill out, freeze, wait
            patiently, bask, bask in the sun, settle down, calm down, laze about, lounge""",
        "legs": """stand, stand up straight, stand guard, sit, sit down, lie down, lounge about, sit around, crouch,
            squat""",
        "snake": "coil up, lie coiled up, lie in the sun",
        "tentacled": "cling to a rock",
    },
    "walk": {
        "legs": """walk, walk along, walk about, walk around, walk on, walk away, walk off, walk by, walk past, walk
            over, walk across, stroll, stroll along, stroll about, stride, stride along, wander, wander about,
            wander around, wander off, tread, step along, take a step, take a few steps, take some steps, take
            steps, go for a walk, go on foot, take a walk, put one foot in front of the other, keep walking, roam,
            roam about, roam around, patrol, pace up and down, pace back and forth, pace around, trek, tramp,
            wade, walk the ground""",
        "large": """march, prance, prance about, prance along, march along, march off, ramble, ramble along,
            traipse, trundle, trundle along, limp, hobble, stagger, stagger along, totter, lollop along, stomp
            along, stomp around, clomp along, tramp along, sway along""",
        "biped": """strut, strut about, hike, promenade, swagger, sashay, parade, toddle, wobble along, perambulate,
            go for a stroll, take a stroll, take a hike, stretch its legs, walk on two legs, walk upright""",
        "two legs": "waddle, waddle along, strut along, walk on its two feet, parade along",
        "four legs": "pad along, pad about, walk on all fours, go on all fours, pad across the ground",
        "hoofs": "clop along, go at a walk",
        "bugs": "walk on all its legs, tiptoe across the floor, tick along, clamber along, clamber about",
        "snake": """slither, slither along, slither across the ground, slither over the ground, slither away,
            slither about, slither off, slide along, slide across the ground, slide over the ground, wriggle,
            wriggle along, writhe along, undulate, undulate along, undulate over the ground, worm its way along,
            snake along, wind its way along, squirm along, sidewind, ripple along, wind along the ground, weave
            along, slide through the grass, slither through the grass, wriggle over the sand, slink over the
            ground""",
        "tentacled": """drag itself along, drag itself over the ground, pull itself along, ooze along, slide along
            the ground, walk on its tentacles, walk on its arms, haul itself along, wriggle along the ground, walk""",
    },
    "~walk": {
        "large": "meander, meander along, mill about",
        "legs": "mill around",
    },
    "~walk up": {"legs": "climb, clamber, climb up, climb upward, clamber up"},
    "~~~walk": {
        "legs": "step",
        "any": """move, move along, move on, move ahead, move off, move about, move around, advance, advance
            steadily, proceed, go, go along, go on, go ahead, go straight on, travel, travel along, make its way,
            make its way along, head off, head out, head for the trees, press on, carry on, make progress, keep
            going, keep moving, go places, set out, progress, come closer, come along, come near, approach, go
            past, pass by, go over there, move away, go away, cross, cross the field, leave, get going, get
            moving, venture out, edge along, navigate, journey, explore, come in, enter, exit, go on its way, head""",
    },
    "walk slow": {
        "large": """amble, amble along, plod, plod along, trudge, trudge along, lumber, lumber along, shamble,
            shamble along, walk at a leisurely pace, drag its feet, lag along""",
        "biped": "saunter, saunter along, mosey, mosey along, shuffle, shuffle along, take a leisurely stroll",
        "low": "inch along, inch its way along, crawl along slowly",
        "snake": "slither along lazily",
        "legs": "dawdle, dawdle along, potter about, walk without haste, take slow steps, slow to a walk, toil along",
    },
    "walk fast": {
        "legs": "walk briskly, step out briskly, bustle along, bustle about, walk at a brisk pace, walk hurriedly",
        "biped": "power walk, speed walk, walk with quick steps",
    },
    "walk crawl": {
        "low": """crawl, crawl along, crawl about, crawl around, crawl across the floor, crawl over the ground,
            crawl away""",
        "biped": "crawl on its hands and knees, crawl on all fours",
    },
    "walk sneak": {
        "legs": """sneak, sneak along, sneak up, sneak about, sneak around, sneak away, sneak past, prowl, prowl
            about, prowl around, prowl along, stalk, stalk its prey, stalk along, tiptoe, tiptoe along, creep,
            creep along, creep up, creep forward, creep about, skulk, skulk about, lurk about, slink, slink along,
            slink off, slink away, steal along, steal up, walk stealthily, pussyfoot, sidle up, crouch along, walk
            in a crouch""",
    },
    "walk sideways": {
        "bugs": "scuttle sideways, crawl sideways",
        "legs": """sidestep, strafe, step sideways, step to the side, walk sideways, move sideways, shuffle
            sideways, edge sideways, step aside, move aside, walk like a crab, sidle""",
    },
    "walk hop": {
        "beak": "hop along, hop about, hop around, hop along the ground, hop across the ground, hop away, hop off",
    },
    "run": {
        "legs": """run, run along, run away, run off, run about, run around, run on, run by, run past, run across,
            run over, take off running, come running, go for a run, go running, break into a run, run for cover,
            run home, run free, run wild, run after its prey, keep running, run up, give chase, chase, chase its
            prey, chase after something, run to safety, make a run for it, take to its heels""",
        "large": """lope, lope along, charge forward, charge ahead, charge along, charge across, charge off, charge
            away, charge down, charge past, charge around, rush along, rush about, storm along, thunder along,
            thunder past, stampede, pursue, pursue its prey, romp""",
        "bugs": """scuttle, scuttle along, scuttle away, scuttle about, scuttle off, scuttle around, scurry, scurry
            along, scurry away, scurry about, scurry off, scurry around, skitter, skitter along, skitter away,
            skitter around, scamper about, scuttle across the floor, scurry across the floor""",
        "small": "scamper, scamper away, scamper along, scurry over the ground",
        "snake": """run, run along, run away, rush along the ground, scurry along, dash along the ground, race along
            the ground""",
        "tentacled": """run, run along, run away, scurry along, scuttle along, rush along the ground, dash along the
            ground""",
        "two legs": "run on two legs, leg it",
        "biped": "run like mad, go for a jog, run a marathon",
        "four legs": "run on all fours, scamper off, run with the pack",
    },
    "run slow": {
        "biped": "jog, jog along, jog about, jog on, go jogging",
    },
    "run fast": {
        "snake": """dart along, dart away, dart off, dash off, race along, race away, bolt, flee, speed along, zip
            along, hurry along""",
        "tentacled": "dart along, dart away, dash off, race along, flee, speed along, hurry along, bolt, rush off",
        "legs": """sprint, sprint along, sprint away, sprint off, sprint across, dash, dash along, dash off, dash
            away, dash across, dash about, race, race along, race off, race away, race past, race across, race
            around, bolt, bolt away, bolt off, dart, dart along, dart away, dart off, dart about, tear along, tear
            off, tear away, tear across, tear around, zoom along, zoom off, zoom past, zip along, speed along,
            speed off, speed away, hurtle along, hurtle past, flee, flee in terror, run for its life, rush, rush
            off, rush away, rush past, rush headlong, fly along the ground, shoot off, shoot away, run flat out,
            put on a burst of speed, break into a sprint, hare off, escape, make a dash for it, make off, career
            along, belt along, barrel along, run like hell, run like the wind, hightail it, scram, hurry, hurry
            along, hurry away, hurry off, hasten""",
    },
    "~run gallop": {
        "hoofs": """gallop, gallop along, gallop away, gallop off, gallop across the field, gallop past, gallop
            about, go at a gallop, break into a gallop, canter, canter along, canter off, go at a canter""",
        "four legs": "gallop around",
    },
    "~run trot": {
        "four legs": """trot, trot along, trot away, trot off, trot about, trot by, trot past, go at a trot, trot
            around""",
    },
    "~run bound": {
        "four legs": """bound, bound along, bound away, bound off, bound across, bound about, bound forward, lollop,
            bound past""",
    },
    "run hop": {
        "beak": "run along in hops, hop along at a run",
    },
    "back": {
        "bugs": "scuttle backwards, scuttle back, crawl backwards",
        "any": """back up, back away, back off, back out, move backwards, move back, move backward, go backwards, go
            back, go backward, retreat, reverse, back away from something, move in reverse, go in reverse,
            withdraw, fall back, draw back, shrink back, pull back, recoil, give ground, edge back, edge
            backwards, shy away, inch backwards, travel backwards, backtrack, travel in reverse, pull away
            backwards, make a retreat, beat a retreat, reverse away""",
        "legs": """walk backwards, walk backward, walk back, step back, step backwards, step backward, backstep,
            walk in reverse, take a step back, take a few steps back, take a step backwards, shuffle backwards,
            shuffle back, creep backwards, pace backwards, walk tail first, run backwards""",
        "biped": "backpedal, moonwalk, stumble backwards, stagger back, stagger backwards, stumble back",
        "snake": "slither backwards, slither back",
        "tentacled": "crawl backwards",
    },
    "turn": {
        "any": """turn, turn on the spot, turn in place, turn its body, rotate, rotate on the spot, rotate in place,
            rotate its body, pivot, pivot on the spot, pivot in place, change direction, change its direction,
            change its heading, change course, make a turn, do a turn, take a turn, turn to face something, turn
            to one side, turn aside, reorient itself, turn itself, revolve, shift direction, face a new direction,
            face another direction, turn away, turn off, turn to the side, make a quarter turn, do a quarter turn,
            turn a little, turn slightly, perform a turn, swing its body round, alter its course, turn ninety
            degrees""",
        "legs": "turn on its feet, step round, shuffle around on the spot, pivot on its feet, turn where it stands",
        "biped": "pivot on its heel, turn on its heel, swivel on its heel, swivel",
    },
    "~turn": {
        "any": "veer, veer off, swerve, curve, curve away, bank into a turn, bend round, arc, peel off",
    },
    "turn left": {"any": "face left, face the left, bank left, bank to the left"},
    "turn right": {"any": "face right, face the right, bank right, bank to the right"},
    "turn around": {
        "any": """turn around, turn round, turn about, turn back, turn back around, turn right around, turn right
            round, turn completely around, turn fully around, turn all the way around, turn all the way round,
            make a u turn, do a u turn, do a 180, turn 180 degrees, rotate 180 degrees, make an about turn, do an
            about face, make a half turn, do a half turn, make a full turn, do a full turn, turn a full circle,
            spin, spin around, spin round, spin on the spot, spin in place, spin in a circle, spin in circles,
            turn in a circle, twirl, turn in circles, twirl around, whirl around, whirl round, wheel around, wheel
            round, swing around, swing round, rotate 360 degrees, turn 360 degrees, do a 360, do a full rotation,
            make a full rotation, reverse direction, reverse its direction, face the other way, turn the other
            way, face the opposite way, turn to face the other way, turn to look behind it, turn on its axis, make
            a complete turn, rotate fully, turn the opposite way, swivel around, swivel round, pivot around,
            rotate around, pirouette, do a pirouette, chase its tail, turn to face backwards, turn half around,
            turn itself around""",
    },
    "~~~walk around": {
        "any": """circle, circle around, go around in circles, go in circles, go round in circles, move in a circle,
            orbit""",
    },
    "jump": {
        "any": """jump, jump up, jump off, jump over something, jump into the air, jump in the air, leap, leap up,
            leap into the air, leap in the air, leap over something, leap forward, leap off, make a jump, make a
            leap, take a leap, take a jump, do a jump, spring up, spring into the air, spring forward, spring over
            something, vault over something, hop over something, hop up, launch itself into the air, launch itself
            upward, launch itself off the ground, push off the ground, bounce up, bounce off the ground, jump up
            and down, catapult itself into the air, jump high, jump on the spot, fling itself into the air, hurl
            itself upward, jump up in the air, clear an obstacle, clear the gap, jump the gap, jump for joy,
            spring, perform a jump, throw itself into the air, leap with joy, leap across the gap, jump aside""",
        "legs": """vault, bounce, bounce up and down, hurdle, hurdle over something, hop into the air, clear the
            fence, bound over something, bound into the air, take a flying leap, hop onto something, jump onto
            something, jump down, jump with all its legs, bob up and down, bounce around, jump clear of the
            ground, leapfrog""",
        "biped": "do a jumping jack, do a long jump, do a high jump, jump rope",
        "fish": "breach, leap out of the water, jump out of the water",
    },
    "~jump hop": {
        "legs": "hop, hop once, hop on the spot, hop up and down",
    },
    "look": {
        "any": """look, look around, look round, look about, look here and there, look all around, look around
            itself, look out, look on, look at something, look behind, look back, look over there, look for
            something, look ahead, look from side to side, look straight ahead, look both ways, gaze, gaze around,
            gaze at something, stare, stare at something, stare ahead, watch, watch its surroundings, watch
            carefully, observe, observe something, observe its surroundings, survey the area, survey its
            surroundings, survey, scan the area, scan the horizon, scan its surroundings, scan, scan around,
            inspect something, inspect, examine something, examine, check its surroundings, check around, take a
            look, take a look around, have a look, have a look around, keep watch, keep a lookout, keep an eye
            out, search, search around, search for something, eye something, glance, glance around, glance at
            something, glance about, glance back, glance behind it, peer, peer around, peer at something, peer
            about, peek, peek around, peep, spot something, turn to look, direct its gaze, cast its eyes around,
            listen, investigate, scout around, notice something, take in its surroundings, be on the lookout, be
            on the alert, study its surroundings, be watchful, cast a glance, seek something""",
        "neck": """turn its head, turn its head around, turn its gaze, swivel its head, rotate its head, swing its
            head, move its head, move its head around, move its head from side to side, raise its head, lift its
            head, crane its neck, stretch its neck, tilt its head, cock its head, look over its shoulder, twist
            its head, glance over its shoulder, peer over its shoulder, sniff the air, shake its head, turn its
            head from side to side, look up from the ground, swing its head from side to side, sweep its head
            around, turn its face""",
        "four legs": "prick up its ears, prick its ears, perk up its ears, sniff, sniff around, smell the air",
        "biped": "shade its eyes, look at its watch, scratch its head",
    },
    "attack": {
        "any": """attack, attack its prey, attack the enemy, attack its foe, attack something, attack with full
            force, assault, assail, assail its foe, strike, strike at its prey, strike out, strike the enemy, hit,
            hit out, hit the enemy, hit something, lash out, lash out at something, lunge, lunge at something,
            lunge forward, fight, fight back, fight its enemy, go on the attack, go in for the kill, go for its
            prey, launch an attack, make an attack, mount an attack, perform an attack, ambush, ambush its prey,
            kill, kill its prey, hurt something, do battle, deal a blow, land a blow, savage its prey, defend
            itself, turn on its attacker, hunt its prey, do combat, engage the enemy, throw itself at the enemy,
            hurl itself at its prey, batter, batter its foe, thrash about, crush its prey, seize its prey, grab
            its prey, grapple, wrestle, beat its foe, whack, ravage, slam, slam into something, smash, smash into
            something, catch its prey, snatch its prey, clobber, menace, threaten, threaten its foe, charge into
            the enemy, bash, fight for its life, wipe out the enemy, deliver a blow""",
        "jaws": """bite, bite its prey, bite at something, bite hard, snap, snap at something, snap its jaws, snap
            at its prey, snap its teeth, tear into its prey, go for the throat, chomp at its enemy, bite the
            enemy, sink its teeth into its prey, breathe fire, spit fire""",
        "claws": """claw, claw at something, claw at its prey, maul, maul its prey, slash, slash with its claws,
            slash at something, swipe, swipe with its claws, swipe at something, swipe with a claw, swipe at the
            enemy, scratch at something, rake, rake with its claws, swat, swat at something, rip its prey apart,
            tear its prey apart, slice, slice at its foe""",
        "large": """charge, charge at something, charge at the enemy, charge into something, charge the enemy,
            stomp, stomp on something, stomp the ground, stamp on something, trample, trample its enemy, kick,
            kick out, kick at something, ram, ram into something, butt, head butt, headbutt, butt with its head,
            smack, buck, slap, pounce, pounce on its prey, pounce on something, leap at its prey, jump at the
            enemy, spring at something, jump on its prey, leap on its prey, spring on its prey, whip its tail,
            swing its tail, lash its tail at something, strike with its tail, lash at something, whip at something""",
        "hoofs": "gore, gore its enemy, kick with its hind legs, rear, rear up, strike with its hooves",
        "biped": """punch, throw a punch, throw punches, box with its fists, jab, stab, stab at something, swing its
            fist, swing its fists, swing at something, swing a sword, swing its sword, throw a kick, do a
            roundhouse kick, uppercut, shadow box, karate chop, swing a weapon, hack at something, thrust at the
            enemy, shoot, beat up its foe, brawl, duel""",
        "beak": """peck at its enemy, stab with its beak, strike with its beak, peck at its foe, strike with its
            talons""",
        "sting": "sting, sting its prey, inject venom, stab with its stinger",
        "bugs": """pinch, pinch with its claws, snip at something, nip, nip at something, snap its pincers, snap its
            claws""",
        "snake": """constrict its prey, squeeze its prey, coil around its prey, spit venom, strike with its fangs,
            bare its fangs""",
        "tentacled": """whip its tentacles, lash with its tentacles, grab with its tentacles, wrap its arms around
            its prey""",
    },
    "eat": {
        "any": """eat, eat something, eat its food, eat up, eat its fill, eat its meal, feed, feed on something,
            feed itself, devour, devour its prey, devour its food, consume, consume its food, consume its prey,
            swallow, swallow its food, swallow its prey, gulp, gulp down its food, gobble, gobble up its food,
            gobble down its food, feast, feast on something, feast on its prey, dine, dine on something, have a
            meal, have a bite to eat, have a snack, take a bite, take a bite of food, take a mouthful, ingest,
            snack, snack on something, have its dinner, have its lunch, have its breakfast, scavenge, fill its
            belly, fill its stomach, stuff itself, enjoy a meal, nourish itself, finish its meal, eat away,
            satisfy its hunger, take food, get some food, have dinner, bite into its food, bite off a piece, tuck
            into its meal, partake of a meal, wolf down its food, taste, taste its food""",
        "legs": """munch, munch on something, munch away, chew, chew on something, chew its food, nibble, nibble at
            something, nibble on something, gnaw, gnaw at something, gnaw on something, pick at its food, forage,
            forage for food, chomp, chomp on its food, drink, drink water, have a drink, take a drink, take a sip,
            sip, sip water, quench its thirst, crunch, crunch on something, eat from the ground, scoff its food,
            gorge itself, lower its head to eat, slurp""",
        "four legs": "lap up water, lap, lap water, gnaw on a bone, lick, lick its food, drink from a puddle",
        "hoofs": """graze, graze on grass, eat grass, eat the grass, graze in the meadow, browse, crop the grass,
            chew the cud, munch grass, chew grass, nibble the grass, take a bite of grass, tear at the grass,
            lower its head to graze, ruminate, pull up grass, eat hay, nibble at the leaves, drink from a stream""",
        "jaws": """tear at its food, tear off flesh, eat meat, tear at the carcass, eat its kill, eat flesh, rip off
            meat""",
        "beak": """peck, peck at the ground, peck at its food, peck at seeds, peck the ground, eat seeds, peck
            around, peck for food, peck up grain, pick up seeds""",
        "snake": "swallow its prey whole, swallow it whole, gulp down its prey",
        "biped": "eat breakfast, eat lunch, eat dinner, have breakfast, have lunch, eat a sandwich",
    },
    "die": {
        "any": """die, die suddenly, die slowly, drop dead, perish, expire, pass away, succumb, succumb to its
            wounds, meet its end, meet its maker, meet its death, breathe its last, draw its last breath, take its
            last breath, give up the ghost, bite the dust, croak, go limp, lose its life, fall
            dead, fall lifeless to the ground, be killed, get killed, be slain, die a quick death, be defeated,
            depart this life, come to its end, give up its life, cease to be, bleed to death, starve to death, die
            on the spot, go belly up, be no more, breathe its final breath, get slain, fall in battle, die in
            battle, be finished off, suffer a fatal blow, collapse lifeless""",
        "legs": """collapse, collapse to the ground, kick the bucket, fall over, fall over dead, fall down,
            fall down dead, fall to
            the ground, fall to its death, fall on its side, fall onto its side, fall to its side, fall on its
            back, fall to the floor, keel over, topple, topple over, topple to the ground, crumple, crumple to the
            ground, crumple up, slump to the ground, slump, slump over, drop to the ground, drop to the floor,
            sink to the ground, tip over, tip over dead, tumble over, buckle, roll over dead, roll onto its back,
            sag to the ground, crash to the ground, fall sideways, drop down dead, collapse in a heap, fall in a
            heap, tumble to the ground, fall flat, fall backwards""",
        "bugs": "curl up its legs, curl its legs, flip onto its back",
        "biped": """faint, pass out, fall on its face, fall to its knees, drop to its knees, keel over backwards,
            sink to its knees""",
        "fish": "float belly up, sink to the bottom, drift lifelessly",
    },
    "~die": {
        "legs": "fall",
    },
    "fly": {
        "wings": """fly, fly along, fly away, fly off, fly about, fly around, fly up, fly by, fly past, fly over,
            fly on, fly through the air, fly through the sky, fly across the sky, fly high, fly overhead, fly with
            beating wings, flap, flap its wings, flap along, flap about, beat its wings, flutter, flutter about,
            flutter along, flutter away, flutter its wings, flutter around, hover, hover in the air, hover in
            place, take off, take flight, take wing, take to the air, take to the sky, take to the skies, take to
            the wing, lift off, rise into the air, rise into the sky, soar into the sky, soar up, soar upward,
            climb into the sky, ascend into the sky, wing its way, wing its way along, flit, flit about, flit from
            flower to flower, stay airborne, stay aloft, move its wings, flap its wings hard, work its wings, pump
            its wings, circle in the air, circle in the sky, circle overhead, wheel overhead, launch itself into
            flight, go airborne, become airborne, be airborne, keep flying, go flying, go for a flight, rise on
            its wings, travel through the air on its wings, leave the ground, migrate, aviate, use its wings, move
            through the air, move through the sky, cruise through the air, be in flight, levitate""",
    },
    "glide": {
        "wings": """glide, glide along, glide through the air, glide down, glide by, glide past, glide away, glide
            overhead, glide across the sky, glide on the wind, glide without flapping, glide to the ground, soar,
            soar along, soar through the sky, soar through the air, soar overhead, soar on the wind, soar above
            the clouds, soar in the sky, soar high, coast, coast along, coast through the air, coast on the wind,
            sail through the air, sail along, sail through the sky, sail on the wind, sail overhead, ride the
            wind, ride the breeze, ride the thermals, ride the air, ride a thermal, ride the air currents, float
            on the wind, float through the air, float on the breeze, float in the air, drift through the air,
            drift on the wind, drift down, drift on the breeze, hold its wings still, hold out its wings, keep its
            wings still, spread its wings, swoop, swoop down, swoop through the air, fly without flapping, hang on
            the wind, fly with still wings, fly without flapping its wings, stretch out its wings, plane through
            the air, parachute down, float down, descend on its wings, volplane, keep its wings spread, fly with
            spread wings, fly with wings outstretched""",
    },
    "swim": {
        "any": """swim, swim along, swim away, swim off, swim about, swim around, swim by, swim past, swim through
            the water, swim on, swim in the water, swim underwater, move through the water, float in the water,
            drift in the water, swim in the sea, swim in the lake, cut through the water, swim across the lake,
            cruise through the water, dive, dive into the water, dive down, dive under, swim through the sea,
            glide through the water, keep swimming, have a swim, take a dip, go swimming, go for a swim, propel
            itself through the water, travel through the water, stay afloat, dart through the water, slip through
            the water, move underwater, drift with the current, swim in the ocean, swim with the current, float,
            swim upstream, push through the water, weave through the water, race through the water""",
        "legs": "paddle, paddle along, paddle about, tread water, paddle through the water, paddle with its legs",
        "biped": "do the crawl stroke, swim a length, do the breaststroke, snorkel",
        "snake": "wriggle through the water, undulate through the water",
        "fish": """flick its tail through the water, beat its tail, wave its fins, undulate through the water, flick
            its fins, cruise, cruise along, ripple through the water, wriggle through the water, beat its fins,
            drift, drift along""",
        "tentacled": """jet along, jet away, jet through the water, pulse, pulse through the water, pulse along,
            drift, drift along, drift about, float along, wave its tentacles through the water, squirt along,
            propel itself with its arms""",
    },
    "swim fast": {
        "fish": "dart along through the water, shoot through the water, speed through the water",
    },
    "start": {
        "any": "start, begin, commence, get started",
    },
    "stop ~idle": {
        "any": """stop, halt, come to a halt, come to a stop, come to rest, come to a standstill, stop moving, draw
            to a halt, grind to a halt, slow to a stop, slow to a halt, stop in its tracks, pull up, brake,
            screech to a halt, stand down, stop dead, stop short, cease moving, cease, cease to move, quit moving,
            stop abruptly, skid to a halt""",
    },
}  # fmt: skip

NOUNS: dict[str, str] = {
    "idle": """idle, idle animation, idle pose, idle loop, idle cycle, idle stance, idling animation, rest pose,
        resting pose, standing pose, breathing animation, breathing idle, moment of rest, stillness, standing
        idle, immobility, inactivity""",
    "walk": """walk, walk cycle, walk animation, walk loop, walking animation, walking cycle, stroll, walking gait,
        stride, locomotion, walk forward loop, footsteps, walking motion, stride animation, basic locomotion,
        wander""",
    "walk sneak": """sneak, sneaking animation, stealth walk, prowl, crouched walk, crouch walk, stealth movement,
        sneak cycle""",
    "walk sideways": "sidestep, strafe, strafing animation, side steps, side stepping, strafe walk",
    "walk crawl": "crawl, crawl cycle, crawling animation, crawl animation",
    "run": """run, run cycle, run animation, run loop, running animation, running cycle, running gait, chase, run
        forward loop, running motion, pursuit""",
    "run slow": "jog, jogging animation, slow run, jog cycle",
    "run fast": "sprint, dash, sprint animation, fast run, sprinting animation, escape, sprint cycle, race, mad dash",
    "~run gallop": "gallop, gallop cycle, galloping animation, canter, gallop animation",
    "~run trot": "trot, trot cycle, trotting gait, trot animation, trotting animation",
    "~run bound": "bounding gait, bounding run",
    "turn": """turn, turn in place, turn animation, turning animation, rotation, change of direction, quarter turn,
        pivot, turning motion, 90 degree turn, 45 degree turn, turn on the spot, swivel, direction change, turning
        on the spot""",
    "turn around": """u turn, about turn, about face, half turn, full turn, spin, 180 degree turn, 180, 360, 360
        degree turn, pirouette, turn around, full rotation, complete turn, whole turn, twirl, spin animation, 180
        turn, full spin""",
    "back": """retreat, backward walk, backwards walk, walk backwards, reverse walk, step back, backward step,
        backward movement, backing away, withdrawal, backward locomotion, backstep, walk back loop, backward walk
        cycle, backward motion""",
    "jump": """jump, leap, jump animation, jumping animation, leap into the air, hop in the air, vault, jump loop,
        jump in place, bounce, high jump, long jump, big leap, jump up, jumping motion, hop up""",
    "look": """look, look around, glance, gaze, look animation, looking animation, glance around, head turn, turn of
        the head, lookout, search, inspection, observation, quick look, alert idle, look around idle, stare,
        searching animation, head movement""",
    "attack": """attack, attack animation, strike, bite attack, melee attack, lunge, pounce, bite, hit, blow, claw
        swipe, claw attack, charge attack, combat, combat animation, tail whip, tail attack, jump attack, leap
        attack, fight, assault, aggression, ambush, kick, kick attack, stomp attack, bite animation, swipe, heavy
        attack, light attack, fighting animation, attack move, offensive, battle, quick attack, slash""",
    "eat": """meal, eat, feeding, eating animation, eat animation, feeding animation, feast, snack, grazing
        animation, lunch, dinner, eating loop, breakfast, bite to eat, mouthful, bite of food, bite of grass,
        drink, grazing, drinking animation, feeding time, eating cycle, nibble""",
    "die": """death, demise, death animation, dying animation, die animation, collapse, death throes, death scene,
        last breath, final breath, fatal fall, death fall, end of its life, decease, sudden death, tragic end,
        final moments, last moments, death pose, knockout""",
    "fly": """flight, take off, takeoff, flying animation, fly cycle, fly loop, flight cycle, flapping flight, flap
        of the wings, fly, flapping animation, flight animation, fly animation, hover animation, hovering
        animation, wing beat cycle, flight loop, powered flight""",
    "glide": """glide, gliding flight, glide animation, gliding animation, soaring flight, glide cycle, glide loop,
        soaring animation, gliding, swoop, soaring, unpowered flight, long glide""",
    "swim": """swim, swim cycle, swim animation, swimming animation, swim loop, paddling animation, dive, swimming
        motion, swimming stroke, dip in the water, swimming cycle, swimming""",
    "start": "start, beginning",
    "stop ~idle": "stop, halt, standstill",
}  # fmt: skip

OTHERS: dict[str, str] = {
    "~~~~attack": "roar, snarl, growl, hiss, bare its teeth, show its teeth, howl, bellow",
    "~~~~idle": """yawn, stretch, wave, wave hello, groom itself, scratch itself, purr, bark, shiver, tremble, wag
        its tail, swish its tail, blink, preen, bow, nod, shrug""",
    "~fly down": "land, touch down, come in to land, alight",
    "idle": """shuffle its feet, motionless, stationary, at rest, immobile, unmoving, inactive, without moving, not
        move, not moving, not move at all, no movement, no motion, nothing happens, hardly move, barely move, not
        a muscle, static, not budge, without movement, without motion, without any movement, no longer move,
        completely still, perfectly still, stock still, asleep, never move, default pose, neutral pose, t pose, a
        pose, on standby, standby""",
    "~idle": "still, resting, dormant",
    "~~~walk": "zigzag, zig zag, accelerate, pick up speed",
    "walk": "dog walk, on foot, walking pace, walk speed, at a walk, on a walk, wlk",
    "run": "on the run, running pace, at a run",
    "run fast": "hurried along, hurried away, hurried off, in full flight from danger",
    "~run gallop": "at a gallop, at full gallop",
    "~run": "in pursuit, in hot pursuit",
    "trot": "at a trot",
    "pace": "pacing gait, in a pacing gait, at an amble",
    "bound": "in leaps and bounds, in bounds",
    "hop": "in hops, in little hops, hopping gait",
    "crawl": "on its belly",
    "sneak": """stealthily, stealthy, stealth, sneaky, sneakily, on tiptoe, on the prowl, furtively, furtive, in a
        crouch""",
    "~turn": "on the turn",
    "around": """180 degrees, 360 degrees, one eighty, three sixty, in a circle, in circles, full circle, a whole
        circle, half a circle, halfway around, completely around, the whole way around, the other way around,
        hairpin, in the opposite direction, all the way around""",
    "back": """back step, backing, backed, backs, backs up, backs away, backs off, backs out, backing up, backing
        away, backing off, backing out, backed up, backed away, backed off, backed out, bwd, backpedalling,
        rearward, rearwards, tail first, in reverse, bkwd, walk bwd""",
    "~~~back": "backward, backwards",
    "jump": """skip, mighty bound, with one bound, in one bound, with a bound, great bound, clear the river, clear
        the wall, clear the hurdle, in one leap, in a single leap, midjump""",
    "look": """check left and right, check both sides, check, watchful, vigilant, on the lookout, alert, curiously,
        attentive, eyes wandering, on the alert""",
    "attack": """killed its prey, atk, offensively, aggressively, aggressive, in attack, melee, violently, fiercely,
        claw swipe, in for the kill, fight mode""",
    "eat": "om nom nom, having its food, at its food, food in its mouth",
    "die": """tumble down, get knocked down, get knocked out, knock over, go down, keel, shoot dead, play dead,
        dead, to death, lifeless, lifelessly, slain, killed, fatally wounded, mortally wounded, dead on the spot,
        deceased, defeated, fatally, mortally, belly up, stone dead, no longer alive, no longer breathe""",
    "~~fly": """in the air, through the air, in the sky, through the sky, across the sky, overhead, on its wings,
        wing beats, above the clouds""",
    "fly": """buzz, buzz about, buzz around, spread its wings and fly, airborne, aloft, in flight, in mid flight, on
        the wing, in full flight, up in the sky, with beating wings, with flapping wings, by air""",
    "glide": """nosedive, nose dive, without flapping, wings spread, with its wings spread, with outstretched wings,
        with wings held still, on still wings, on thermals, on the thermals, with open wings, wings outstretched,
        with stiff wings, without flapping its wings, without beating its wings, on the breeze, on the wind, with
        spread wings, with motionless wings, on outstretched wings, with still wings, without a wingbeat, wings
        held wide""",
    "~~swim": """underwater, in the water, through the water, in the sea, in the ocean, below the surface, in the
        lake, under water, under the sea, through the sea, through the ocean, in the river, in the pond, in the
        deep, under the waves, through the waves, afloat, in the aquarium""",
    "slow": """slow, slowly, leisurely, unhurried, unhurriedly, sluggish, sluggishly, lazy, lazily, languid,
        languidly, in slow motion, at a slow pace, at a snail's pace, at a leisurely pace, take its time, taking
        its time, cautiously, cautious, carefully, careful, lethargic, lethargically, gently, in no hurry, without
        haste, without hurry, at low speed, at a gentle pace, wearily, weary, slower, slow down, ponderously, at
        half speed, sedately, gingerly, listlessly, tiredly, slow paced, like a snail, not fast, not quickly, not
        hurry, step by step, in a leisurely way, in a leisurely manner, as slow as a snail, low speed, bit by bit,
        slowest, slo mo, at its leisure, not very fast""",
    "fast": """fast, quick, quickly, rapid, rapidly, swift, swiftly, speedy, speedily, hasty, hastily, in a hurry,
        in haste, in a rush, at top speed, at full speed, full speed, top speed, at full tilt, flat out, brisk,
        briskly, hurried, hurriedly, at high speed, high speed, like the wind, at great speed, like lightning,
        like a flash, as fast as it can, as fast as possible, vigorously, vigorous, energetically, frantically,
        frantic, at a brisk pace, at a fast pace, fast paced, with great speed, in a flash, at lightning speed, at
        a rapid pace, faster, fastest, quicker, speed up, at maximum speed, full throttle, at breakneck speed, at
        full pelt, at speed, with all its might, hell for leather, like mad, like crazy, urgently, nimbly, not
        slow, not slowly, headlong, at a quick pace, with speed, in double time, like a rocket, like a bullet""",
    "left": """left, to the left, to its left, leftward, leftwards, on the left, counterclockwise, counter
        clockwise, anticlockwise, anti clockwise, to the left hand side, left hand, towards the left, to port, to
        the left side, lft, ccw, in the left direction, left side""",
    "right": """right, to the right, to its right, rightward, rightwards, on the right, clockwise, to the right hand
        side, right hand, towards the right, starboard, to starboard, to the right side, rgt, cw, in the right
        direction, right side""",
    "forward": """forward, forwards, ahead, straight, straight ahead, onward, onwards, in a straight line, straight
        on, dead ahead, directly ahead, fwd, straight forward, to the front, towards the front, without turning,
        in a line, frontwards, in a straight path, on a straight line, dead straight, straight as an arrow""",
    "sideways": """sideways, laterally, lateral, crabwise, to the side, sidewards, sideward, sidelong, sideway, to
        one side, crab like, side on, edgeways, edgewise, to its side, sidewise""",
    "up": """up, upward, upwards, uphill, skyward, skywards, higher, to the top, into the heights, high up,
        heavenwards, ascending, to the sky, ascend, high into the sky, towards the sky""",
    "down": """down, downward, downwards, downhill, to the bottom, towards the ground, groundward, descending,
        descend, earthwards, earthward, to the ground, downslope, below, toward the ground""",
    "start": """start to, begin to, starting to, set off, start off, start up, break into, breaking into, launch
        into, from a standstill, from standing, starts off, commence to, get ready to, from rest, burst into""",
    "stop": "stop to, stopping to, stop in order to, end in, pull up to",
}  # fmt: skip

IGNORED = """
    left leg, left foot, left paw, left claw, left arm, left wing, left eye, left hoof, left fin, left ear, left front
    leg, left hind leg, left back leg, left fore leg, left rear leg, left tentacle, left horn, left knee, left feet,
    left legs, left fist, left behind, nothing left, right leg, right foot, right paw, right claw, right arm, right
    wing, right eye, right hoof, right fin, right ear, right front leg, right hind leg, right back leg, right fore leg,
    right rear leg, right tentacle, right horn, right knee, right feet, right legs, right fist, right away, right now,
    right there, right here, right at, right in, right on, right into, right after, right before, all right, right up,
    right down, right through, right past, right next, right beside, left and right, right and left, left to right,
    right to left, right behind, left foot forward, right foot forward, right in front, right over, up to, up from, up
    with, up and down, back and forth, to and fro, on its back, back legs, back leg, back feet, back foot, back of, get
    up, stand up on, show up, end up, make up, pick up, grow up, wake up, up and about, cheer up, look up to, upside
    down, down there, up there, look like, look as, look as if, look as though, look tired, look happy, look sad, look
    angry, look hungry, look scared, look good, look great, look strong, look majestic, look menacing, look weak, look
    bored, look nervous, look proud, look sick, look old, look lost, look forward to, watch out, wrist watch, rest of,
    the rest of, not only, not just, still alive, still in the, at the start, at the beginning, at the end, from the
    start, running water, swimming pool, walking stick, jumping jack, fast food, living dead, dead tired, dead leaf,
    dead leaves, dead tree, dead wood, dead end, dead grass, fallen leaf, fallen leaves, fallen tree, fallen log,
    falling leaf, falling leaves, falling rain, falling snow, front of, turn based, on its way to, by the time, time
    and again, in the long run, the wild, running gear, standing stone, standing stones, step by, at once,
    breathtaking, move list, dead of night, in the dead of night, dead calm, as usual, fly on the wall, die hard, on
    high ground, still life, flight of stairs, flight of steps, straight face, straight up, along the coast, on the
    coast, quick witted, the quick brown, high and low, low and high, near and far, go to work, on the go, in one go, a
    great deal, in a row, back home, way back, back to, back into, back in, back on, back from, back at, fighting fit,
    walk of life, cat walk, side walk, sidewalk, runway, on the hunt, as a rule, step in, foot step, bird bath, spring
    morning, in spring, spring day, spring flowers, spring sun, in the fall, swimming hole, good looking, strange
    looking, scary looking, odd looking, funny looking, evil looking, mean looking, fierce looking, ugly looking,
    standing ovation
"""  # fmt: skip
