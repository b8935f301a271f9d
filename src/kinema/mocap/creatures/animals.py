"""The body plan of an animal, by its English name."""

from __future__ import annotations

import re

from kinema.mocap.creatures.common_words import ARTICLE_WORDS
from kinema.mocap.creatures.inflections import third_person

_PLURALS = {
    "wolf": "wolves", "calf": "calves", "mouse": "mice", "goose": "geese", "ox": "oxen", "man": "men", "woman": "women",
    "person": "people", "doe": "doe", "child": "children", "elf": "elves", "dwarf": "dwarves", "louse": "lice",
}  # fmt: skip

ANIMALS: dict[str, str] = {
    "biped": """person, man, woman, human, human being, child, boy, girl, kid, baby, toddler, guy, lady, gentleman,
        adult, teenager, soldier, warrior, knight, king, queen, wizard, witch, zombie, skeleton, robot, humanoid,
        biped, hero, heroine, villain, dancer, athlete, runner, guard, ninja, pirate, monk, elf, dwarf, orc,
        goblin, troll, ogre, giant, gorilla, ape, chimpanzee, chimp, orangutan, bonobo, gibbon, yeti, bigfoot,
        sasquatch, werewolf, minotaur, cyclops, android, mannequin, character, vampire, demon, angel, golem,
        farmer, hunter, player, alien, hominid, mummy, ghoul, gnome, cowboy, samurai""",
    "theropod": """theropod, raptor, velociraptor, t rex, tyrannosaurus, tyrannosaurus rex, tyrannosaur, trex,
        dinosaur, dino, allosaurus, spinosaurus, carnotaurus, deinonychus, utahraptor, dilophosaurus, gallimimus,
        compsognathus, baryonyx, oviraptor, kangaroo, wallaby, jerboa, ceratosaurus, giganotosaurus, megalosaurus,
        coelophysis, bipedal dinosaur""",
    "bird": """bird, sparrow, pigeon, dove, crow, raven, eagle, hawk, falcon, owl, parrot, chicken, hen, rooster,
        cockerel, chick, duck, duckling, goose, swan, turkey, peacock, pheasant, ostrich, emu, rhea, kiwi,
        penguin, flamingo, stork, heron, crane, pelican, seagull, gull, albatross, vulture, condor, buzzard, kite,
        kestrel, osprey, robin, wren, finch, canary, swallow, swift, lark, nightingale, thrush, blackbird,
        starling, magpie, jay, woodpecker, kingfisher, hummingbird, toucan, cockatoo, macaw, budgie, parakeet,
        quail, partridge, grouse, puffin, cormorant, ibis, egret, cassowary, dodo, roadrunner, cuckoo, jackdaw,
        rook, tit, songbird, fowl, phoenix, chocobo, tern, plover, sandpiper, warbler, wagtail, goldfinch,
        bullfinch""",
    "digitigrade": """dog, cat, wolf, fox, lion, tiger, leopard, cheetah, jaguar, panther, puma, cougar, lynx,
        bobcat, hyena, jackal, coyote, dingo, puppy, kitten, hound, terrier, poodle, bulldog, greyhound,
        dachshund, collie, labrador, husky, beagle, lioness, tigress, ocelot, caracal, serval, kitty, feline,
        canine, pup, cub, tomcat, pooch, doggy, doggo, quadruped, vixen, sabertooth, mongoose, genet, civet,
        wildcat, snow leopard, mountain lion, wolfhound, sheepdog, pug, chihuahua, hellhound, warg, direwolf,
        retriever, dalmatian, mutt, tabby, tetrapod, thylacine""",
    "unguligrade": """horse, pony, mare, stallion, foal, colt, filly, donkey, mule, ass, zebra, cow, bull, ox, calf,
        bison, buffalo, yak, cattle, deer, stag, doe, fawn, elk, moose, reindeer, caribou, antelope, gazelle,
        impala, wildebeest, gnu, goat, billy goat, kid goat, sheep, ram, ewe, lamb, pig, hog, boar, sow, piglet,
        warthog, camel, dromedary, llama, alpaca, giraffe, okapi, rhino, rhinoceros, hippo, hippopotamus, tapir,
        unicorn, gelding, steed, ungulate, ibex, chamois, oryx, kudu, eland, springbok, roe, roe deer, buck, hind,
        heifer, steer, swine, hoofed animal, mustang, bronco, thoroughbred, nag, musk ox, pronghorn""",
    "plantigrade": """bear, grizzly, polar bear, brown bear, panda, raccoon, badger, skunk, rabbit, bunny, hare,
        mouse, rat, hamster, guinea pig, squirrel, chipmunk, hedgehog, porcupine, beaver, otter, mole, weasel,
        ferret, stoat, mink, marten, wolverine, elephant, mammoth, monkey, baboon, macaque, mandrill, lemur,
        sloth, koala, wombat, possum, opossum, anteater, armadillo, aardvark, pangolin, capybara, gopher,
        groundhog, marmot, lemming, vole, shrew, gerbil, chinchilla, tasmanian devil, cavy, teddy bear, bear cub,
        rodent, tree shrew, triceratops, stegosaurus, brachiosaurus, diplodocus, sauropod, ankylosaurus, mastodon,
        coati, red panda, brontosaurus, apatosaurus, nutria, muskrat, platypus, echidna, grizzly bear""",
    "lizard": """lizard, gecko, iguana, chameleon, skink, monitor lizard, komodo dragon, crocodile, alligator,
        caiman, croc, gator, gharial, turtle, tortoise, terrapin, salamander, newt, axolotl, frog, toad, bullfrog,
        tree frog, reptile, amphibian, basilisk, bearded dragon, dimetrodon, anole, goanna, tuatara, horned toad,
        agama, monitor""",
    "hexapod": """insect, bug, ant, beetle, cockroach, roach, bee, bumblebee, honeybee, wasp, hornet, fly, housefly,
        mosquito, gnat, moth, butterfly, dragonfly, damselfly, grasshopper, cricket, locust, mantis, praying
        mantis, ladybug, ladybird, termite, flea, louse, earwig, cicada, aphid, weevil, stick insect, firefly,
        hexapod, stag beetle, scarab, dung beetle, bedbug, midge, katydid, water strider, leafhopper, six legged
        creature, horsefly, silverfish""",
    "spider": """spider, tarantula, black widow, scorpion, tick, mite, arachnid, wolf spider, jumping spider,
        harvestman, daddy longlegs, trapdoor spider, huntsman spider, funnel web, orb weaver, eight legged
        creature""",
    "crab": """crab, lobster, crayfish, crawfish, prawn, shrimp, hermit crab, king crab, crustacean, langoustine,
        fiddler crab, horseshoe crab, spider crab, coconut crab""",
    "centipede": """centipede, millipede, caterpillar, woodlouse, pill bug, sow bug, myriapod, inchworm, silkworm,
        giant centipede, larva, arthropleura""",
    "snake": """snake, serpent, python, cobra, viper, adder, rattlesnake, boa, boa constrictor, anaconda, mamba,
        asp, grass snake, garter snake, king cobra, sea snake, sidewinder, worm, earthworm, leech, slug, snail,
        slowworm, ophidian, wyrm, lindworm, corn snake, sea serpent, copperhead, naga, maggot, blindworm""",
    "fish": """fish, goldfish, shark, carp, trout, salmon, tuna, cod, herring, sardine, mackerel, haddock, halibut,
        pike, perch, bass, catfish, clownfish, angelfish, swordfish, marlin, barracuda, piranha, eel, moray, ray,
        manta ray, stingray, sturgeon, guppy, minnow, koi, plaice, flounder, sole, whale, dolphin, porpoise, orca,
        killer whale, narwhal, beluga, seal, sea lion, walrus, manatee, dugong, seahorse, sea horse, pufferfish,
        anglerfish, lionfish, sunfish, great white, hammerhead, tadpole, mermaid, blue whale, humpback,
        coelacanth, lamprey, anchovy, snapper, grouper, tench, roach fish, ichthyosaur, plesiosaur, merman""",
    "winged": """bat, dragon, wyvern, drake, griffin, gryphon, pegasus, hippogriff, harpy, pterosaur, pterodactyl,
        pteranodon, quetzalcoatlus, vampire bat, fruit bat, flying fox, manticore, gargoyle, winged horse, fairy,
        pixie, chimera, sphinx, archaeopteryx, flying squirrel, sugar glider, cherub, dragonling, winged creature""",
    "tentacled": """octopus, squid, jellyfish, cuttlefish, kraken, nautilus, sea anemone, anemone, hydra, medusa,
        polyp, cephalopod, octopod, starfish, tentacle monster, tentacled creature, man of war, calamari, mollusc,
        mollusk, cthulhu, devilfish, sea star, brittle star""",
}  # fmt: skip
"""The names of animals by body plan, as comma-separated lists."""

# "at a snail's pace", "like a bird": not what the text is about.
_COMPARISON = re.compile(r"\b(?:like|as|than)\s+(?:an?\s+|the\s+)?\w+|\b\w+\s+pace\b|\bdog[ -]paddl\w+|\bcrab[ -]like")
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLES = frozenset((ARTICLE_WORDS + " this that one two three of").split())
# Animals that are mostly other words; they count with an article or at the start only.
_VERBS_TOO = """
    fly duck swallow swift bat ram buck bear crane kite lark rook tit ray seal sole perch bass pike jay hind
    steer roe tick mole guard player character king queen hero giant kid baby monitor bug snake worm hunter fish
    doe sow ass drake grouse swine quail tern slug robin skeleton adder boa hound ferret badger fawn hare finch
    carp crow cub runner
"""
_AMBIGUOUS = frozenset(_VERBS_TOO.split())


def _table() -> dict[tuple[str, ...], str]:
    names = {}
    for plan, listed in ANIMALS.items():
        for name in [plan, *(name.strip() for name in listed.split(","))]:
            *before, last = name.split()
            names[(*before, last)] = plan
            names[(*before, _PLURALS.get(last) or third_person(last))] = plan
    return names


_PLANS = _table()
_LONGEST = max(map(len, _PLANS))
_FIRST = frozenset(name[0] for name in _PLANS)

ANIMAL_WORDS = frozenset(word for name in _PLANS for word in name)
"""All words in the names of animals, singular and plural."""

AMBIGUOUS_ANIMALS = _AMBIGUOUS & ANIMAL_WORDS
"""Names of animals that are also common verbs, such as "fly" and "duck"."""


def creature_of(text: str) -> str | None:
    """The body plan of the first animal that a text names, such as "unguligrade" for "a grey pony", or None.

    The longest name counts ("sea horse" is a fish). Names that are mostly verbs ("fly", "duck", "bear") count after an
    article or as the first word, and only where there is no other animal.
    """
    words = _WORD.findall(_COMPARISON.sub(" ", text.lower().replace("'s", " ")))
    sure = unsure = None
    index = 0
    while index < len(words) and sure is None:
        length, plan = _name_at(words, index)
        if plan and (length > 1 or words[index] not in _AMBIGUOUS):
            sure = plan
        elif plan and unsure is None and (index == 0 or not _ARTICLES.isdisjoint(words[max(index - 2, 0) : index])):
            unsure = plan
        index += max(length, 1)
    return sure or unsure


def _name_at(words: list[str], start: int) -> tuple[int, str | None]:
    if words[start] in _FIRST:
        for length in range(min(_LONGEST, len(words) - start), 0, -1):
            plan = _PLANS.get(tuple(words[start : start + length]))
            if plan:
                return length, plan
    return 0, None
