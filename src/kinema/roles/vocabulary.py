"""What a joint's name says about it: parts with weights, a side, front or back, and whether it marks an end.

A name is evidence, not proof: "LeftHip" is a thigh above "LeftKnee" and half a pelvis above "LeftUpLeg". A rule may
therefore give several parts, and the shape of the tree decides between them. Rules are tried in order and the first
match counts. A rule sees the words of a name joined by underscores, without side, numbers and exporters' prefixes:
`mixamorig:LeftUpLeg` becomes `_up_leg_`, `Bip01 R Toe0Nub` becomes `_toe_nub_`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kinema import naming
from kinema.roles.model import Side

_FILLER = frozenset((
    "left", "right", "l", "r", "bone", "bones", "joint", "joints", "jnt", "jt", "def", "org", "deform", "bip", "biped",
    "valve", "cc", "rl", "mixamorig", "b", "j", "c", "bn", "bind", "skin", "sk", "armature", "rig", "character", "bend",
    "sec", "adj", "m", "f", "link", "pitch", "yaw", "lf", "rt", "geo", "v", "links", "rechts", "gauche", "droite",
    "izquierda", "izquierdo", "derecha", "derecho", "linke", "rechte", "linker", "rechter",
))  # fmt: skip
_LEFT = frozenset(("links", "linke", "linker", "gauche", "izquierda", "izquierdo", "lf"))
_RIGHT = frozenset(("rechts", "rechte", "rechter", "droite", "derecha", "derecho", "rt"))
_LONGEST = 200  # characters of a name that are read
_GLUED = re.compile(
    r"(hipjoint|femur|tibia|foot|toes|clavicle|humerus|radius|wrist|hand|fingers|thumb|thigh|shin|index|mid|ring|pinky|"
    r"collar|shldr|buttock|forearm|shoulder|eye|carpal|metatarsals|bigtoe|ear)"
)
_SEGMENT = re.compile(r"toe[0-9]-[0-9]")  # MakeHuman writes toe1-2 for a digit and its segment
_ROLLS = tuple((joint, "roll") for joint in ("hip", "ankle", "shoulder", "wrist", "waist"))  # of robots
_END = re.compile(r"_(end|nub|site|leaf|null|effector|endsite|headtop)_")
_TIP = re.compile(r"_tip_")
_TAPERED = re.compile("tail|wing|ear|hair|fin_|feather")
_FRONT = re.compile(r"_(front|fore|top|anterior)(?!_?arm)")
_BACK = re.compile(r"_(back|hind|rear|bottom|posterior)(?=_?[a-z])")
_RULES: tuple[tuple[re.Pattern[str], dict[str, float]], ...] = tuple(
    (re.compile(pattern), parts)
    for pattern, parts in (
        # joints that are not part of the body itself
        (
            r"_(ik|fk|pole|target|targets|ctrl|ctl|control|goal|locator|marker|dummy|gizmo|mch|pt|aim|look_?at|hlp|socket|"
            r"interaction|attach|virtual|vb|cog|help|helper|pole_?target|heel_?(ik|pivot|roll)|foot_?roll|footsteps)(?=_)",
            {"helper": 1.0},
        ),
        (r"ik_|^_?[fp]k_|\uff49\uff4b|ダミー|_(mother|parent)_", {"helper": 0.9}),
        (r"twist|_twst|_share_|share_?bone|_roll_|捩|_corrective|_slide_|_half_|_rolle_", {"twist": 1.0}),
        (
            r"weapon|sword|shield|_gun|_rifle|_bow_|_prop|_item|_slot|hand_?slot|_holster|_bag|_pack_|_cape|cloak|skirt|"
            r"_cloth|_dress|_coat|_strap|_belt|_tie_|_ribbon|_hat_|_helmet|_cap_|スカート|ネクタイ|リボン|_saddle|_scarf|"
            r"_sleeve|_hood|_pouch|_necklace|_camera",
            {"prop": 0.9},
        ),
        (r"_hair|_bang|_pony|_braid|髪|_haar|_mane|_beard|_moustache|_mustache", {"hair": 1.0}),
        # digits first, since their names contain that of the limb: "LeftHandIndex1", "CC_Base_L_PinkyToe1"
        (
            r"(big|index|mid|middle|ring|pinky|little|small)_?toe|metatars|_hallux|_toes_[0-9]|_toe_[0-9]+_[0-9]|orteil|"
            r"_zehe_|_dedo_pie|toe_?[a-e]_",
            {"toes": 1.0},
        ),
        (r"_toe|toe_|_ball(?=_)|つま先|つまさき|_zehen", {"toe": 1.0, "toes": 0.7}),
        (r"_subtalar|_transverse_?tarsal", {"foot": 0.95, "toe": 0.2}),
        (r"thumb|親指|daumen|pouce|pulgar", {"thumb": 1.0}),
        (r"index|人指|人差指|_fore_?finger|zeigefinger|_point_", {"index": 1.0}),
        (r"_middle|_mid_?(finger|[0-9])|中指|mittelfinger|majeur|_hand_mid|_mid_(?=$)", {"middle": 1.0}),
        (r"_ring|薬指|anulaire|annulaire", {"ring": 1.0}),
        (r"pinky|_pinkie|little|小指|auriculaire|menique|_small_finger", {"little": 1.0}),
        (r"finger|metacarp|_carpal|_knuckle|_doigt|_claw", {"finger": 1.0}),
        # the head
        (r"_jaw|_chin_|_mandible|mouth_(lower|bottom)|_mouth_|unterkiefer|あご|顎|_kiefer", {"jaw": 1.0, "face": 0.4}),
        (
            r"_eye_?(brow|lid|lash)|_brow|_lid_|_lash|まぶた|眉|tongue|teeth|_tooth|_lip_|_lips_|_cheek|_nose_|_nostril|_snout|"
            r"_muzzle|facial|_face|_mouth|oris|levator|orbicul|temporalis|risorius|oculi|_special_|舌|_upper_jaw|_beak|_fang"
            r"|_whisker|_forehead|_tongue|_oris|_sneer|_crease",
            {"face": 1.0},
        ),
        (r"_eyes?_|_eye_?ball|目|_auge|_oeil|_ojo|_eye(?=_)", {"eye": 1.0}),
        (r"_ears?_|耳|_ohr|_oreille|_oreja|_horn|_antenn", {"ear": 1.0}),
        (r"_tail|尻尾|しっぽ|schwanz|_queue|_cola_|_abdomen_sting|_sting", {"tail": 1.0}),
        (r"wing|翼|羽|feather|flugel|flügel|_aile_|_ala_|pinion|plume", {"wing": 1.0}),
        (r"_fins?_|flipper|_fluke|_dorsal|flosse|nageoire", {"fin": 1.0}),
        # legs, from specific words to vague ones
        (
            r"up(per)?_?leg|leg_?up(per)?|_thigh|_femur|_u_?leg|oberschenkel|_cuisse|_muslo|_hip_?(flex|x|y"
            r"|z)",
            {"thigh": 1.0, "upper_arm": 0.2},
        ),
        (
            r"lo(w|wer)?_?leg|leg_?low(er)?|_shin|_calf|_crus_|_tibia|_knee|_stifle|unterschenkel|_knie|ひざ|膝"
            r"|_mollet|_rodilla|_genou",
            {"shin": 1.0, "forearm": 0.2},
        ),
        (r"_horse_(?=$)|_hock|_tarsus|_cannon", {"foot": 1.0, "shin": 0.2}),
        (
            r"leg_?ankle|ankle_?leg|_ankle|talocrural|足首|_knochel|_cheville|_tobillo|_fetlock",
            {"foot": 1.0, "toe": 0.2, "hand": 0.2},
        ),
        (r"_heel", {"helper": 0.6, "foot": 0.5}),
        (r"_hoof|_paw", {"foot": 0.8, "toe": 0.6, "hand": 0.6, "finger": 0.4}),
        (r"_foot|_feet|_fuss|_fuß|_pied|_pie_", {"foot": 1.0, "toe": 0.45, "hand": 0.3}),
        (r"leg_?(shoulder|scapula|clavicle)|front_?shoulder", {"shoulder": 1.0}),
        (
            r"leg_?(pelvis|hip)|(hip|pelvis)_?joint|_buttock|back_?(shoulder|hip)|_ilium|_coxa",
            {"hips": 1.0, "thigh": 0.4},
        ),
        (r"足", {"thigh": 1.0, "foot": 0.3}),
        # arms
        (
            r"fore_?arm|lo(w|wer)?_?arm|arm_?low(er)?|_elbow|_radius|_ulna|unterarm|avant_?bras|antebrazo|ひじ"
            r"|肘|_codo|_coude|ellbogen",
            {"forearm": 1.0},
        ),
        (r"up(per)?_?arm|arm_?up(per)?|_u_?arm|_humerus|oberarm|_biceps", {"upper_arm": 1.0}),
        (r"clavicle|_collar|_scapula|_scap_|_clav|肩|schlusselbein|clavicule|clavicula", {"shoulder": 1.0}),
        (r"hand|_wrist|_palm|_fist|手首|_main_|_mano|_muneca|_poignet", {"hand": 1.0, "finger": 0.1}),
        (r"shoulders_", {"spine": 0.7, "shoulder": 0.6}),
        (r"shoulder|_shldr|_schulter|_epaule|_hombro|_withers", {"shoulder": 1.0, "upper_arm": 0.75}),
        (r"_arm_|_arm(?=_)|腕|_bras_|_brazo_|_armx?_", {"upper_arm": 1.0, "forearm": 0.3}),
        (r"_legs?_(anchor|base|root)", {"hips": 0.5, "leg": 0.6}),
        (
            r"leg(?=_)|_pierna|_jambe|_bein_|_leg",
            {"shin": 0.6, "thigh": 0.6, "leg": 0.6, "upper_arm": 0.2, "forearm": 0.2},
        ),
        # the trunk
        (r"head|skull|頭|_kopf|_tete|_tête|_cabeza|_cranium", {"head": 1.0}),
        (r"neck|首|_hals_|_cou_|_cuello|_cervical|_nacken", {"neck": 1.0}),
        (r"_hips_|pelvis|下半身|腰|becken|_bassin|_cadera|_hanche|_sacrum", {"hips": 1.0, "thigh": 0.3}),
        (r"_hip(?=_)|_huft", {"hips": 1.0, "thigh": 0.8}),
        (
            r"spine|chest|thorax|torso|abdomen|_waist|_ab_|lower_?back|upper_?back|_back_|上半身|_belly|_breast_?bone|_rib|wirbel|rucken|"
            r"rücken|_colonne|_columna|_espalda|_trunk|_lumbar|_thoracic|_stomach|_sternum|_vertebra|_backbone|_bauch|_brust_|_dos_",
            {"spine": 1.0},
        ),
        (r"breast|bust|胸|_pec_|_glut|_delt|_rect_|_navel|_muscle|_jiggle|_butt_|乳", {"helper": 0.6}),
        (
            r"_root|_world|全ての親|センター|グルーブ|_master|_main|_global|_origin|_simulation|_trajectory|_reference"
            r"|_scene",
            {"root": 1.0},
        ),
        (r"_body", {"hips": 0.5, "spine": 0.5, "root": 0.3}),
    )
)


@dataclass(frozen=True)
class Evidence:
    """What one name says.

    Attributes:
        parts: weights from 0 to 1 of the parts it may mean; empty when it says nothing.
        side: the side it names.
        level: +1 for front, -1 for back, 0 for neither.
        end: whether it marks the end of its parent instead of a joint ("Head_End", "Toe0Nub").
        name: the name itself.
    """

    parts: Mapping[str, float]
    side: Side | None
    level: int
    end: bool
    name: str

    @property
    def best(self) -> str:
        """The likeliest part, or ""."""
        return max(self.parts, key=lambda part: self.parts[part]) if self.parts else ""


@lru_cache(maxsize=16384)
def read_name(name: str, hinge: bool = False) -> Evidence:
    """The evidence in one joint's name.

    Args:
        name: name of the joint.
        hinge: whether the joint has a single axis, as those of robots do.
    """
    short = name[:_LONGEST]
    side, words = _side_and_words(short)
    joined = _joined(words, side, short)
    if hinge or _of_a_robot(words):
        joined = joined.replace("_wrist_roll_", "_forearm_")  # this hinge turns the forearm about its length
        joined = joined.replace("_roll_", "_")
        joined = joined.replace("_hip_", "_thigh_").replace("_shoulder_", "_upper_arm_")
    level = _level(joined)
    if name.startswith("__"):  # Blender's MakeHuman export joins a parent and its far child like this
        return Evidence({"helper": 1.0}, side, level, False, name)
    plain = _TIP.sub("_", _END.sub("_", joined))
    parts = next((parts for pattern, parts in _RULES if pattern.search(plain)), {})
    return Evidence(parts, side, level, _marks_end(joined), name)


def _side_and_words(name: str) -> tuple[Side | None, tuple[str, ...]]:
    """The side that a name states, and its words without a sign for the side in front of the first."""
    words = naming.words(name)
    side = naming.side(name)
    if side is not None:
        return side, words
    side = "left" if _LEFT.intersection(words) else "right" if _RIGHT.intersection(words) else None
    if side is not None and words[0][0] in "左右":
        words = (words[0][1:], *words[1:])
    return side, words


def _joined(words: Sequence[str], side: Side | None, name: str) -> str:
    """The text that the rules search."""
    kept = [_without_side(word, side) for word in words if word not in _FILLER and not word.isdigit()]
    joined = "_" + "_".join(word for word in kept if word) + "_"
    return joined + "1_1_" if _SEGMENT.search(name) else joined


def _without_side(word: str, side: Side | None) -> str:
    """A word without a side inside it: `lfemur`, `左足`."""
    word = word.replace("左", "").replace("右", "")
    if side is not None and len(word) > 3 and word[0] == side[0] and _GLUED.match(word[1:]):
        return word[1:]
    return word


def _of_a_robot(words: tuple[str, ...]) -> bool:
    return "pitch" in words or "yaw" in words or ("roll" in words and "link" in words) or words[-2:] in _ROLLS


def _level(joined: str) -> int:
    if _FRONT.search(joined):
        return 1
    return -1 if _BACK.search(joined) and joined != "_back_" else 0


def _marks_end(joined: str) -> bool:
    return bool(_END.search(joined)) or (bool(_TIP.search(joined)) and not _TAPERED.search(joined))
