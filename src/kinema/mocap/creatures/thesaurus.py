"""More words for movements, which are read and never written: synonyms, idioms and verbs of motion with a particle.

Keys and phrases are those of `kinema.mocap.creatures.lexicon`, which comes first where both have a phrase. The verbs
are those of B. Levin, "English Verb Classes and Alternations" (1993): manner of motion, ingesting, contact by impact,
poking, perception, posture, disappearance.
"""

from __future__ import annotations

PARTICLES = """
    about, across, after, ahead, along, among, around, away, away from, back to, beneath, between, beyond, by, down,
    down to, for, forth, forward, from, home, in, into, near, off, off into, on, onto, onward, out, out of, over, past,
    round, straight, through, to, toward, towards, under, underneath, up, up to, upon, upstream, downstream, uphill,
    downhill, behind
"""
"""What follows a verb of motion."""

PARTICLE_VERBS: dict[str, str] = {
    "walk": """pad, toddle, lurch, tromp, troop, clump, potter, putter, wend, thread, nose, ease, drag itself,
        haul itself, pull itself, heave itself, lug itself, squeeze, splash, slosh, squelch, wade, slog, schlep,
        mince, flounce, reel, wobble, teeter, stumble, dodder, patter, pitter patter, rove, gallivant, stray,
        climb, clamber, scramble, shin, stomp, stamp, tramp, clomp, stalk, pace, parade, march, step, strut,
        stagger, limp, hobble, totter, waddle, shuffle, traipse, trundle, tiptoe, saunter, stroll, wander, roam,
        ramble, mosey, swagger, sashay, prance, tread, wriggle, squirm, worm, undulate, slither, writhe, ooze,
        ripple, slide, slip, snake, wind, plough, plow, crunch, edge, inch, clatter, clip clop, clop, trek, hike,
        sway, swing, roll, sweep, thud, thump, flow, trickle, stream, pour, swarm, teem, bustle, dodge, jostle""",
    "~~~walk": """weave, meander, journey, travel, press, push, proceed, advance, progress, venture, cross, head,
        move, pass, work, steer, loop, thread, make, come, bob, zigzag, wiggle, waggle, glide""",
    "run": """scamper, scurry, scuttle, skitter, scutter, scud, lope, charge, romp, frolic, gambol, cavort,
        stampede, thunder, storm, jog, skip, scoot, chase, pound, drum, patter fast""",
    "run fast": """tear, streak, hurtle, barrel, pelt, zoom, whiz, whizz, zip, shoot, rocket, hare, belt, careen,
        career, flash, blaze, dash, nip, skedaddle, bomb, hotfoot it, hustle, leg it, hightail it, sprint, race,
        bolt, dart, rush, hurry, speed, scorch, burst, fly down, rip, power, crash, hasten, bowl, flee, whip,
        steam, gun, spurt, surge, scramble fast, high tail it, book it, beat it, vamoose""",
    "walk slow": "amble, plod, trudge, lumber, shamble",
    "walk sneak": "sneak, tiptoe, creep, slink, prowl, sidle",
    "walk crawl": "crawl",
    "~run trot": "trot",
    "~run gallop": "gallop, canter",
    "~run bound": "bound, lollop",
    "~~~walk fast": "slice, cut, knife, carve, power, plunge, batter, thrash, battle",
    "fly": "flap, flutter, flit, fly, hover, whir, whirr, drone, buzz, hum, ascend",
    "glide": "soar, sail, plane, skim, waft, swoop, stoop, coast, plunge, float, drift, kite",
    "swim": """swim, paddle, dive, squirt, squirt itself, jet itself, propel itself, thrust itself, flap its fins,
        splash, jet, pulse, scull, porpoise, crawl stroke""",
    "jump": """jump, leap, vault, launch itself, catapult itself, hurl itself, fling itself, propel itself up,
        spring, bounce, leapfrog, somersault, hurdle, pole vault, toss itself, throw itself up""",
    "turn": "veer, swerve, rotate, pivot, revolve, swivel, yaw, gyrate, slew",
    "turn around": "spin, whirl, twirl, twist, wheel, pirouette, swirl",
    "look": """look, gaze, stare, glance, peer, peek, peep, squint, gawk, gawp, gape, goggle, glare, glower,
        watch, spy, ogle, rubberneck, sniff, snuffle, nose, gander""",
    "back": "back, withdraw, retreat, recoil, recede, retire, shrink, cower, backpedal, flinch",
}
"""Verbs that mean a movement together with each of `PARTICLES`, by what they stand for."""

BACKWARD_VERBS = """
    crawl, creep, edge, hobble, hop, inch, jerk, lurch, move, pace, pad, reel, scoot, scramble, scurry, scuttle, shift,
    shrink, shuffle, shy, sidle, skitter, slide, slink, slip, slither, sneak, stagger, step, stumble, stride, swing,
    tiptoe, totter, tread, waddle, walk, wriggle, bounce, drift, drag itself, pull itself, work, ease, flinch,
    cower, glide, swim
"""
"""Verbs that mean going backwards together with each of `BACKWARD`."""

BACKWARD = (
    "back from, back away, back out, backwards, backward, in reverse, tail first, rearward, rearwards, rear first"
)
"""Ways of saying backwards."""

VICTIM_VERBS = """
    leap on, leap onto, leap upon, jump on, jump onto, spring on, spring upon, fall on, drop on, drop onto,
    land on, rush,
    swoop on, swoop down on, bear down on, go after, go for, run at, run down, close in on, fasten onto, hang onto
"""
"""Verbs that mean an attack together with each of `VICTIMS`."""

VICTIMS = """
    prey, victim, enemy, foe, rival, opponent, intruder, attacker, quarry, hunter, throat, neck, jugular, knight, man
"""
"""Who is attacked."""

OBSTACLES = """
    bar, barrier, barricade, bench, boulder, brook, bush, chasm, crack, creek, crossbar, crevice, ditch, fence, gap,
    gate, gorge, gully, hedge, hurdle, hurdles, jump, log, obstacle, obstacles, pit, pond, puddle, rail, ravine,
    railing, river, rock, stile, stone, stream, table, tree trunk, trench, trunk, wall
"""
"""What can be cleared, which is jumping."""

THESAURUS: dict[str, str] = {
    "idle": """soak up something, soak up, lap up the sun, kill time, pass the time, while away the time, while
        away the hours, take it easy, take five, sit tight, mark time, stay rooted to the spot, stand rooted to
        the spot, rooted to the spot, hang motionless, hover motionless, float motionless, hang in the water, hang
        suspended, stand like a statue, like a statue, lie low, soak up the sun, sunbathe, warm itself, warm
        itself in the sun, lie dormant, not stir, without stirring, do absolutely nothing, do next to nothing, do
        not much, do nothing much, doing absolutely nothing, kick back, put its feet up, take a breather, have a
        breather, have a nap, have a rest, take forty winks, have forty winks, catch forty winks, catch some
        sleep, rest its head, hold its ground, stay where it lies, stay as it is, breathe softly, breathe slowly,
        breathe deeply, breathe evenly, breathe steadily, make no move, play statue, stand its ground, stay
        completely still, remain completely still, lie completely still, stand stock still, stand to attention,
        unmoved, not moving an inch, not moving a muscle, without moving a muscle, not moving a hair, without
        twitching a muscle, freeze on the spot, stay frozen, hang upside down, hang from the ceiling, hang from a
        branch, at its ease, chillax, vegetate, lollygag, on its break, enjoy the sun, enjoy the sunshine, enjoy
        the shade, chew nothing, think about nothing, in repose, inert, do nothing whatsoever, sound asleep, fast
        asleep, dead to the world, hold its pose, hold a pose, keep its place, hold station, as still as a statue,
        lie fast asleep, wait for something, wait to be fed""",
    "~idle": """await, loll, laze, lounge, recline, sprawl, repose, snuggle, curl up, curl up asleep, nestle,
        huddle, roost, perch, hibernate, drowse, kip, meditate, ponder, daydream, tarry, stand by, loaf, idle
        away, unwind, hang out, hang about, rest up, have a snooze, snore, drop off, bed down, turn in for the
        night, lean on something, lean against something, lie, lie there, lie stretched out, stretch out, stretch
        out in the sun, flop down, sit back, sit on something, kneel, hunker down, squat down, cling on, cling to
        something, settle, settle in, dreaming, hang there, float in place, stay in place, bide, procrastinate,
        dilly dally, dally, wallow""",
    "walk": """clip clop, pussyfoot, schlep, sleepwalk, goose step, goosestep, bushwhack, put one paw in front of
        the other, put one foot before the other, set one foot before the other, make tracks, foot it, hoof it,
        follow its nose, take a turn about the garden, patter, toddle, lurch, stumble, slog, pad, do its rounds,
        make its rounds, follow the path, follow the trail, walk the dog, walk the plank, go walkabout, stretch
        its legs, wend its way, rove, gad about, mooch, mooch about, mooch along, tramp, traipse, dodder, teeter,
        reel, reel along, wobble, flounce, mince, schlepp, slope off, slope along, lope slowly, shamble, go for a
        wander, go for a ramble, take a wander, step lightly, step daintily, step gracefully, tread softly, tread
        carefully, go for a hike, wriggle along, worm, squirm, undulate, zigzag along the ground, one foot at a
        time, one step at a time, one leg after another, leg after leg, step after step, on tiptoes, on its
        tiptoes""",
    "~~~walk": """make headway, gain ground, cover ground, wend, make for something, make a beeline for, beeline,
        get about, get around, get along, work its way, its way along, its way through, its way across, its way
        up, its way down, its way over, its way to, its way toward, its way towards, its way home, its way
        upstream, its way downstream, its way into, its way out, its way past, its way between, its way around,
        its way round, its way among, its way forward, its way under, its way onto, its way off, its way south,
        its way north, its way east, its way west, patrol, commute, emerge, propel itself, propel itself forward,
        propel itself along, drive itself forward, push itself forward, thrust itself forward, traverse, ply,
        roam, follow the leader, weave, meander, wander, migrate, be under way, on the move, on its travels,
        return home, head home, head back, head for something, head toward, head towards, head south, head north,
        head east, head west, head into, head out, head off, head down, head up, head across, head over, head
        through, take off for, strike out for, forge ahead, plough on, plow on, push on, soldier on, slip along,
        pass, pass over, pass through, make its escape slowly, negotiate, accompany, lead the way, bring up the
        rear""",
    "run": """take flight on foot, turn tail, turn tail and run, hot on the heels, hot on the heels of, on the
        heels of, hot on the trail, run laps, show a clean pair of heels, cut and run, take to the hills, hunt
        down its prey, hunt down, run down its prey, outrun, in full gallop, in full stride, at full gallop, at
        full stretch, at a sprint, flat out, give chase, chase down, hunt after, gambol, frolic, skedaddle,
        scamper, scoot, scuttle, scurry, scutter, lope, stampede, in a stampede, on the double, charge ahead,
        charge headlong, go charging, go racing, go haring, go bounding, go galloping, go tearing, go flying
        along, go hell for leather, break into a gallop, break into a trot, break into a canter, break into a
        lope, at a canter, at a lope, at a jog, at the double, put on speed, step on it, pick up its heels, kick
        up its heels, kick up dust, race against time, play catch, play tag, fetch, fetch a stick, fetch the ball,
        chase a ball, fun run""",
    "run fast": """pelt, whiz, whizz, zoom, streak, barrel, hurtle, rocket, skedaddle, hotfoot, hotfoot it,
        hightail, high tail it, hightail it home, hightail it back, scarper, abscond, vamoose, beat it, book it,
        leg it, make haste, put the pedal to the metal, burn rubber, go like the clappers, go like a rocket, go
        like the wind, run for dear life, fly down the road, run hell for leather, make a bolt for it, make a
        break for it, make a mad dash, make good its escape, outpace, blaze a trail, like a bat out of hell, like
        greased lightning, fast as its legs can carry it, as fast as its legs will carry it, at a lick, at a rate
        of knots, at a clip, full pelt, full tilt, bombing along, haring off, gun it, dart""",
    "turn": """flip round, flip around, flip about, coil round, coil round to face something, twist, twist round,
        twist around, rotate about, wheel left, wheel right, wheel to the left, wheel to the right, swing left,
        swing right, swing to the left, swing to the right, hang a left, hang a right, bear left, bear right, hook
        left, hook right, curve off, curve round, curve around, curl round, curl around, come about, go about,
        slew, slew round, gyrate, change tack, tack, alter course, swing its body, swing its body around, swing
        its whole body around, turn its whole body, turn its back, turn its back on something, face about, right
        about turn, change its course, change tack, orient itself, orientate itself, align itself, turn to a new
        heading, turn a corner, round a corner, round the corner, face round, face around, take a left, take a
        right, take a sharp left, take a sharp right, swivel, swivel about, face something, turn to face, veer,
        swerve, swing about, turn on its own axis, turn over its shoulder, on its own axis, bring itself round,
        bring its head about, spin on its heel, spin on its heels, sheer off, quarter turn, execute a turn,
        execute a pivot, perform a pivot""",
    "turn around": """do a one eighty, pull a one eighty, make a one eighty, one eighty, do a three sixty, three
        sixty, pull a u turn, double back, double back on itself, whirl, whirl about, whirl round, wheel about,
        wheel round, wheel around, spin about, twirl, twirl about, twirl round, swirl, swirl around, swivel about,
        pirouette, turn full circle, go full circle, come full circle, describe a circle, do an about turn,
        execute an about face, face the other direction, face the opposite direction, face the other way, go round
        and round, turn round and round, spin round and round, spin like a top, chase its own tail, turn on a
        dime, turn on a sixpence, spin like a ballerina, turn tail round, make a one hundred and eighty, ninety
        degrees, swing right round, turn right about, turn back on itself, turn a full circle""",
    "back": """retire, recede, back, backtrack, back pedal, back down, back it up, give way, beat a hasty retreat,
        beat a slow retreat, beat a retreat, put itself in reverse, retrace its steps backwards, take a step
        backward, take some steps back, take steps back, take several steps back, step away, flinch, cower, cringe
        back, cringe away, shrink away, shrink from something, rear back, draw away, pull away from something,
        jerk back, jump back in fear, shy, shy back, rear first, hind end first, rump first, bottom first,
        backside first, stern first, back to front, butt first, heels first, sound the retreat, pull out, in
        retreat, on the retreat, put some distance between, put distance between, keep its distance, regress""",
    "jump": """spring from, spring onto, spring across, spring up onto, launch into the air, launch itself up,
        launch itself across, launch itself over, launch itself from, launch itself off, launch itself onto,
        launch itself skyward, catapult itself across, catapult itself over, hurl itself across, hurl itself over,
        fling itself across, fling itself over, hurl itself into the air, throw itself over, propel itself into
        the air, hop over, hop onto, hop across, hop off, hop down, hop up onto, hop from, skip over, bound over,
        bound onto, bound up onto, pounce onto, pounce up onto, pounce over, bounce, bounce on, do a backflip, do
        a back flip, do a front flip, do a flip, backflip, somersault, do a somersault, turn a somersault, turn
        somersaults, do a cartwheel, cartwheel, slam dunk, dunk, skip rope, bunny hop, do a bunny hop, do a star
        jump, do star jumps, do jumping jacks, leap frog, leapfrog, dive over, go over the jump, go over the
        fence, take the fence, take the jump, take the hurdle, take the hedge, caper, cut a caper, get airborne,
        in a single bound, in a single jump, in a mighty leap, with a mighty leap, with a single leap, with a
        leap, with a great leap, with one leap, with a jump, give a hop, give a jump, give a leap, give a skip,
        give a bounce, do a hop, make a bound, take a bound, take a mighty leap, take a running jump, spring into
        the saddle, spring up, spring upward, pop up, all four feet off the ground, both feet off the ground, all
        feet off the ground, feet leave the ground, paws leave the ground, bounce on the spot, boing, up in one
        bound, hurdle, vault, trampoline""",
    "look": """spy, espy, discern, catch sight of, glimpse, catch a glimpse, behold, view the scene, contemplate,
        scrutinize, scrutinise, studies, studying, studied, eyeing, eyed, eye up, ogle, gawk, gawp, gape, goggle,
        squint, glare, glower, rubberneck, scour the horizon, scour the area, scour the sky, scour the sea, scour
        the land, scour, comb the area, sweep the horizon, sweep the area, reconnoiter, reconnoitre, scout, scout
        about, scout the area, monitor something, check out, check for danger, check behind, check its back, keep
        watch over, keep an eye on, keep its eyes open, keep its eyes peeled, keep a sharp lookout, keep lookout,
        stand watch, watch over, take stock, snuffle, scent the air, test the air, taste the air, flick its
        tongue, flick out its tongue, nose about, nose around, sniff at something, sniff about, sniff the ground,
        sniff the wind, sniff the breeze, lift its nose, raise its nose, wave its antennae, feel about, feel
        around, wiggle its antennae, twitch its antennae, take a good look, have a good look, have a good look
        round, have a look round, take a peek, have a peek, take a gander, have a gander, take a glance, cast an
        eye over, cast a look, cast its gaze, throw a glance, shoot a glance, steal a glance, give a glance, lift
        its gaze, fix its gaze, fix its eyes on, fix its stare, turn its eyes, turn its gaze, train its eyes on,
        roll its eyes, lift its eyes, raise its eyes, run its eyes over, sweep its gaze, shift its gaze, shift its
        eyes, dart its eyes, crane its neck, turn its head, swivel its neck, twist its neck, bob its head, cock an
        ear, cock its ear, cock its ears, cup its ear, prick its ears, swivel its ears, twitch its ears, perk its
        ears, ears pricked, keep tabs on, try to find, try to see, try to spot, look into something, explore with
        its eyes, with its eyes, study the ground, admire, admire something, goggle at something, eyes sweeping,
        eyes scanning, eyes searching, eyes darting, eyes roaming, eyes fixed on, eyes wide, all eyes, all ears,
        be all ears, be all eyes, on watch, on guard for danger, spectate, sightsee, look sharp, people watch,
        birdwatch, stargaze, rummage, root around, hunt around, hunt about, hunt for something, seek, perceive,
        witness, inspect its paw, tilt its head, poke its head out, poke its head up, pop its head up, pop its
        head out, stick its head out, stick its neck out, hold its head high to look, get a better look, get a
        better view, get a good look""",
    "attack": """bash, batter, bludgeon, clobber, cuff, flog, hammer, pummel, pound its foe, thrash its foe,
        thump, thwack, wallop, whip something, hack, hack away, hew, chop at something, cut down its foe, pierce,
        prick its foe, spear, skewer, impale, run through with a sword, beset, besiege, raid, tackle, rush at, set
        upon, set about its foe, fall upon, fly at, go at, lay into, tear into, rip into, rip at, light into, lam
        into, wade into battle, turn on its foe, round on, launch itself at, launch itself upon, hurl itself at,
        hurl itself upon, throw itself at, throw itself upon, throw itself on, fling itself at, fling itself upon,
        come at, have a go at, take a swipe, take a swipe at, take a swing, take a swing at, take a bite out of
        the enemy, take a snap at, make a grab, make a grab for, make a lunge, make a lunge at, make a pass at,
        thrust, spar, joust, fence with, clash, tussle, scuffle, fight off, drive off, fend off, ward off, beat
        off, mangle, mutilate, savage, gore, crush, strangle, throttle, constrict, grab, seize, snatch, grip its
        prey, clamp its jaws, clamp its jaws on, clamp down on, close its jaws on, close its jaws around, snap its
        jaws shut, sink its teeth, sink its teeth into, sink its teeth in, sink its fangs, sink its fangs into,
        sink its fangs in, sink its claws into, sink its claws in, sink its talons into, dig its claws into, dig
        its talons into, bury its teeth in, bury its fangs in, bare its claws, inject its venom, wrap itself
        around its prey, wrap its coils around, wrap its tentacles around, wrap its arms around, coil around
        something, ensnare, trap its prey, spray venom, spit acid, spit poison, spit flames, spit fireballs,
        blast, blast with fire, torch, incinerate, scorch, burn down, breathe flames, breathe flame, breathe a jet
        of flame, belch fire, belch flames, belch flame, spew fire, spew flames, hurl flames, rain fire, unleash
        fire, unleash flames, unleash a blow, let loose fire, bring down its prey, take down, pull down its prey,
        latch onto, latch on to, flail at, zap, swoop on its prey, swoop down on its prey, dive at its prey, snap
        up its prey, drub, scratch, scratch something, bat at something, paw at its prey, kickbox, roundhouse,
        elbow, knee its opponent, headbutt, head butt, land a punch, land a kick, land a hit, deliver a kick,
        deliver a punch, deliver a bite, aim a blow, aim a kick, aim a punch, strike a blow, rain blows on, give a
        kick, give a bite, give a slap, let fly, fire a gun, fire at something, fire an arrow, loose an arrow,
        open fire, wield a sword, brandish a sword, draw its sword, cross swords, do a spin kick, karate kick, do
        a kick, buck and kick, rear and strike, lash out, lash out with its paw, lash out with its hooves, lash
        its tail, whip its tail at, thrash its tail at, drive its horns into, lower its horns, lower its head and
        charge, go for something, go for the throat, go for the jugular, go for the kill, move in for the kill,
        close in for the kill, make the kill, make a kill, dispatch its prey, finish off its prey, slay, murder,
        massacre, butcher, destroy, annihilate, assassinate, execute its victim, wage war, make war, do battle,
        give battle, join battle, pick a fight, put up a fight, get into a fight, go berserk, go on the offensive,
        go on the rampage, rampage, run amok, on the attack, on the offensive, on the rampage, pounce, grasp its
        prey, pin its prey down, pin down, knock down its foe, knock over its foe, shove, bump its rival, barge
        into, bowl over, trample underfoot, stamp on, stomp on, squash, tear apart, tear to pieces, rip apart, rip
        to pieces, rip to shreds, tear to shreds, dismember, behead, decapitate, disembowel, peck something, peck
        hard at, jab, jab at, poke at, prod at, nip, snip, pinch, sting, snap, savagely, viciously, ferociously,
        with its fangs, bared teeth, teeth bared, fangs bared, claws out, with a vicious bite, ambuscade, waylay,
        lock horns, lock antlers, cross blades, mob, molest, harass, maraud, retaliate, riposte""",
    "eat": """swig, guzzle, quaff, imbibe, suck, suck up, sup, down a drink, scarf, scarf down, wolf down, wolf
        up, gulp down, gulp up, gobble up, gobble down, snarf, hoover up, polish off, put away its food, dig in,
        dig into its food, dig into its meal, tuck in, tuck into, pig out, pig out on, chow down, chow down on,
        scoff, scoff down, demolish its food, swill, bolt its food, bolt down its food, banquet, breakfast on,
        lunch on, have a feast, have a drink, have a bite, have a nibble, have a munch, have a munch on, have some
        food, have its supper, have supper, have tea, pasture, forage, pick at something, pick off seeds, pick up
        crumbs, pick up grain, pick seeds, pick berries, pick clean, pick leaves, pick insects, sample something,
        sample a drop, sampling, savor, savour, relish its meal, masticate, ruminate, chew over, chew up, chew
        away, crop grass, fatten itself, filter plankton, filter krill, strain plankton, filter feed, sip nectar,
        suck nectar, drink nectar, feed on nectar, strip the leaves, strip leaves, strip bark, strip flesh, strip
        the flesh, tear strips, tear off chunks, tear chunks, tear meat, tear hungrily, tear at meat, tear flesh,
        rip flesh, rip meat, rip off chunks, crack a nut, crack nuts, crack open a shell, stuff its face, stuff
        food in its mouth, stuff its mouth, stuff itself, cram its mouth, cram food, fill its stomach, fill up on,
        fill its mouth, help itself to, make short work of, lick up, lick its plate, lick the bowl, lick the
        plate, lick clean, lap up, lap at, lap from, lap down, lick its chops, munch up, munch through, munch its
        way, munch its way through, chomp through, chomp its way through, chew through, crunch through, crunch up,
        crunch down on, nibble away, nibble away at, gnaw away, gnaw away at, peck up, peck at, slurp up, slurp
        down, swallow down, swallow up, swallow whole, swallow in one gulp, take a gulp, take a swig, take a
        nibble, take a bite from, take a bite out of, take bites of, take its meal, take nourishment, take a sip
        from, bite into an apple, bite into a sandwich, bite into its meal, bite into a burger, bite into a fruit,
        bite off, at its bowl, from its bowl, at the trough, from the trough, at a trough, put food in its mouth,
        bring food to its mouth, break its fast, sate its hunger, satisfy its appetite, satisfy its hunger, eat
        heartily, eat greedily, eat hungrily, hungrily, greedily, have its fill, enjoy its meal, enjoy its dinner,
        enjoy its lunch, enjoy a snack, enjoy a feast, feed hungrily, feed greedily, gorge, gorge itself, gorge
        on, glut itself, binge, drain its glass, slake its thirst, wet its whistle, suckle, nurse at, graze
        peacefully, prey upon, live on, finish its food, finish off its food, finish its dinner, finish up its
        food, partake, grab a bite, grab a snack, snack, siphon up, vacuum up food, browse on, nosh, nom, chow,
        teeth crunching, with its mouth full, mouth full of food, cheeks full""",
    "die": """conk out, peg out, pop off, pop its clogs, snuff it, buy the farm, kick the bucket, cash in its
        chips, bite the dust, pass on, pass from this life, depart this world, leave this world, meet its fate,
        meet its doom, meet a grisly end, meet a sad end, meet with death, breathe its last breath, gasp its last,
        gasp its last breath, bleed out, drown, suffocate, asphyxiate, choke to death, freeze to death, burn to
        death, wither and die, wither away, shrivel up, shrivel up and die, fold up, give way beneath it, plummet
        to the ground, plummet to earth, plummet to its death, plummet from the sky, plunge to its death, fall
        from the sky, fall out of the sky, drop from the sky, drop out of the sky, crash to earth, crash to the
        ground, crash to the earth, tumble from the sky, turn belly up, float lifeless, float lifelessly, float
        dead, float belly up, roll belly up, roll over and die, roll onto its side and die, go still forever, go
        stiff, go rigid, stop breathing, stop moving forever, lie still forever, never to rise, never to rise
        again, never to move again, never to wake, never to get up, moves no more, breathes no more, rise no more,
        is no more, close its eyes for the last time, close its eyes forever, shut its eyes forever, lie dead, lie
        dying, drop lifeless, collapse, lie down to die, sink down dead, sink lifeless, life ebbs away, life ebbs,
        life leaves its body, life drains away, life slips away, final shudder, last shudder, final twitch, last
        twitch, twitch one last time, twitch its last, shudder its last, last gasp, dying breath, succumb, succumb
        at last, succumb to something, be struck down, be cut down, be shot, be shot dead, be gunned down, get
        shot, be poisoned, get poisoned, get crushed to death, be felled, fall slain, fall dead, fall down dead,
        fall in a heap, end its life, end its days, lose its fight, lose its battle, lose the fight for life, give
        in to its wounds, yield to death, death takes it, death claims it, as death takes it, meet the grim
        reaper, go to meet its maker, go to a better place, cross the rainbow bridge, join the choir invisible, go
        the way of all flesh, shuffle off this mortal coil, push up daisies, turn up its toes, draw its final
        breath, breathe its final breath, heave its last breath, sigh its last, let out a last breath, expire,
        decease, perish, keel over, keel over dead, crumple, crumple up, crumple down, slump, slump down, slump
        down dead, slump to the floor, slump lifeless, sag lifeless, sink lifelessly, topple, topple over, topple
        dead, topple sideways, flop over dead, flop lifeless, flop over, drop like a stone, drop like a fly, be
        put down, breathe no longer, dies away, in its death throes, in a pool of blood, its final moments, its
        last moments, end of its life, drop down dead, drop stone dead, pass peacefully, slip away peacefully,
        legs curled up, legs in the air, with its legs in the air, give out, give up its life, sacrifice itself""",
    "fly": """gain height, gain altitude, climb higher, climb into the air, climb into the clouds, climb through
        the air, rise above, rise skyward, rise up into the sky, mount into the air, mount the sky, head skyward,
        head into the sky, take wing, take to wing, flap away, flap off, flap across, flap over, flap past, flap
        through, flit across, flit through, flit from branch to branch, flit between, hover, hover over, hover
        above, whir, whirr, whirr along, drone along, buzz over, buzz across, buzz past, buzz through, hum through
        the air, beat the air, thrash the air, row the air, row through the air, beat upward, labour into the air,
        heave itself into the air, heave itself into the sky, haul itself into the air, haul itself aloft, take
        itself aloft, lift itself into the air, lift into the air, lift from the ground, lift off the ground,
        rocket skyward, rocket into the sky, get off the ground, stay up in the air, keep itself aloft, keep
        aloft, remain aloft, remain airborne, hold itself aloft, hold itself in the air, do loops in the air, loop
        the loop, do aerobatics, powerful strokes, powerful wing strokes, wing strokes, wing flaps, take off into
        the air, take off from, skyward, airborne, aloft, ply the skies, patrol the skies, patrol the sky, ascend,
        as the crow flies, in formation, in v formation, flap after flap, wingbeat after wingbeat, in powered
        flight, leave its perch, leave the nest, fledge, flap, flutter, flit, climb steeply""",
    "glide": """sail, soar, plane, plane down, skim, skim over, skim across, skim along, waft, waft along, waft
        down, surf the wind, surf the updraft, surf the updraught, surf the air, surf the breeze, surf a thermal,
        surf thermals, hang on the breeze, hang on the wind, hang on the air, hang in the wind, hang on a thermal,
        hang on an updraft, ride an updraft, ride the updraft, ride the updraught, ride an updraught, ride the
        currents, ride the gusts, ride the gale, ride air currents, ride warm air, ride currents, ride thermals,
        let the wind carry it, let the wind carry, let the breeze carry it, let the air carry it, let the wind
        bear it, let the breeze bear it, let the wind do the work, carried by the wind, carried by the breeze,
        carried on the wind, carried on the breeze, borne on the wind, borne by the wind, borne on the breeze,
        borne aloft by the wind, borne along by the wind, on the updraft, on an updraft, on updrafts, on an
        updraught, on the updraught, on a thermal, on thermals, on the air, on air currents, on the air currents,
        on the currents, on a breeze, on the gale, on warm air, on rising air, on the warm air, on the night wind,
        on the sea breeze, on the evening breeze, in the updraft, spiral down, spiral downward, spiral upwards on,
        descend gently, descend smoothly, descend in a glide, slide through the air, slide across the sky, slide
        through the sky, slip through the air, float effortlessly, float down, float to earth, float to the
        ground, float overhead, drift overhead, drift downward, drift earthward, drift to earth, coast, coast
        along, coast down, swoop, swoop over, swoop low, swoop past, swoop in, stoop, dive, dive bomb, freefall,
        free fall, parachute, hang glide, paraglide, like a paper plane, like a paper aeroplane, like a kite, like
        a glider, like a hang glider, effortlessly through the air, effortlessly through the sky, hang in the air,
        hang in the sky, hang overhead, hang motionless in the air, hang motionless in the sky, wheel lazily, lazy
        circles, in lazy circles""",
    "~~fly": """into the sky, to the sky, in the skies, through the skies, across the skies, into the air, among
        the clouds, amid the clouds, into the clouds, through the clouds, in the clouds, between the clouds, below
        the clouds, over the clouds, under the clouds, against the sky, in midair, in mid air, through mid air,
        high above, far above, above the trees, above the treetops, over the treetops, above the rooftops, over
        the rooftops, above the mountains, over the mountains, above the city, above the valley, above the
        village, above the castle, above the battlefield, above the forest, above the ground, above the sea, above
        the lake, high overhead, at altitude, high over, in the heavens, across the heavens, through the heavens,
        through the night sky, in the blue sky, through the blue sky, across the blue sky, across the night sky,
        out of the sky, through the open sky""",
    "swim": """do the butterfly, do the backstroke, do the front crawl, do the doggy paddle, doggy paddle, dog
        paddle, take a swim, skinny dip, bathe, plumb the depths, plunge into the depths, plunge into the deep,
        dive for fish, go under, come up for air, rise to the surface, rise through the water, sink into the
        depths, swish its tail, sweep its tail, sweeps of its tail, strokes of its tail, beats of its tail, flick
        of its tail, flicks of its tail, thrash its tail, beat its flukes, beat its flippers, paddle its flippers,
        use its fins, wiggle its fins, flap its fins, flap its flippers, work its fins, fan its fins, ply the
        waters, ply the ocean, travel the sea, travel the ocean, roam the sea, roam the ocean, roam the depths,
        roam the deep, cruise the reef, patrol the reef, cruise the depths, cruise the ocean, swim upstream, jet,
        jet off, jet through, squirt water, shoot backwards through the water, pulse its way, pulsate, pulsate
        along, propel itself by its tail, ride the waves, ride the bow wave, ride a bow wave, ride a wave, ride
        the swell, ride the current, ride the tide, surf the waves, against the current, with the current, on the
        tide, with the tide, snorkel, scull, fins waving, fins beating""",
    "~~swim": """under the ice, beneath the ice, beneath the waves, beneath the surface, in the depths, into the
        depths, through the depths, in the deep, into the deep, into the deep blue, through the deep, through the
        blue, into the blue, through the reef, over the reef, around the reef, through the coral, among the coral,
        through the corals, between the corals, over the coral, through the kelp, among the seaweed, through the
        seaweed, among the weeds, among the water lilies, in the brook, in the stream, in the lagoon, through the
        lagoon, in the bay, across the bay, in its tank, in the tank, around the tank, in its bowl, round its
        bowl, around its bowl, in the aquarium, through the aquarium, in open water, through open water, through
        open sea, in the open sea, in the open ocean, through icy water, in icy water, through the icy water,
        through cold water, through clear water, through the deep water, through the shallows, in the shallows,
        through murky water, up the rapids, up the river, down the river, against the tide, against the stream, in
        the rapids, on the seabed, near the seabed, along the seabed, along the sea floor, over the sea floor, up
        from the seabed, alongside a boat, alongside the boat, in its wake, behind the boat, around the ship,
        ahead of the ship, through the swell, through the foam, in the surf, through the surf, in the wake of the
        ship, under the boat, under the ship""",
    "slow": """unhurried, nice and slow, nice and easy, slow and steady, with measured steps, with heavy steps,
        with slow steps, at a stately pace, at an easy pace, in its own time, bit by bit, inch by inch, little by
        little, without rushing, in no rush, with no hurry, one paw at a time, softly, lumberingly, drowsily,
        patiently""",
    "fast": """in a panic, in blind terror, in terror, as quick as the wind, as quick as it can, as quickly as it
        can, as fast as its legs carry it, at lightning speed, like its tail is on fire, faster than a car, in a
        blur, a blur, post haste, pell mell, lickety split, furiously, frenziedly, with all its strength, at pace,
        in a trice""",
    "sneak": """on padded paws, softly softly, on silent feet, on silent paws, noiselessly, soundlessly, without a
        sound""",
    "": """before breakfast, after breakfast, before lunch, after lunch, before dinner, after dinner, before
        supper, after supper, before bed, fall asleep on, rain falling, snow falling, leaves falling, night falls,
        darkness falls, head swinging, head low, head down, head up, head held, head high, head turning, head
        bobbing, head tilted, head raised, head cocked, head lowered, head hanging, head swaying, head first, head
        over heels, life itself, in life, full of life, come on, comes on, went off, goes off, go wrong, going on,
        step by step, rest of its life, back to its hole, back to its den, back to its nest, back to its barn,
        back to the barn, back garden, back yard, back door, turn of events, in turn, look out of place, the last
        time, at the last moment, feast for the eyes, to the last drop, look of anger, the look on, the look in,
        feed bag, food bowl, the sea breeze, jump rope rhyme, on the lookout tower, for good measure, flying fish,
        running shoes, jumping spider, stick insect, walking stick, hunting dog, hunting bird, hunting bird,
        sleeping bag, dining room, living room, show jumping, show jumper, bus stop, milking time, bathroom break,
        finish line, dead body, dead bodies, prey animal, racing horse, charging bull, the flying carpet, swimming
        trunks, back seat, watch tower, wrist watch, guard duty, steam engine, ice skating rink, stuffed animal,
        the hunt is over, fight is over, in its spring coat, at sea""",
}
"""Phrases by what they stand for; those of "" are no movements."""
