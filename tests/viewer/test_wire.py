"""Messages of the page."""

from __future__ import annotations

import math

import pytest

from kinema.errors import ControlError
from kinema.session.steering import InputState
from kinema.viewer.wire import Put, parse


def test_parse_reads_what_the_page_sends():
    state = parse('{"keys": ["KeyW", "ShiftLeft"], "move": [0, 0.5], "look": [0, 0], "client": 2}')
    assert state == InputState(frozenset({"KeyW", "ShiftLeft"}), (0.0, 0.5), (0.0, 0.0), 2)
    assert not state.idle and parse("{}").idle


def test_a_stick_never_leaves_its_circle():
    assert math.hypot(*parse('{"move": [30, 40]}').move) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '{"keys": "KeyW"}',
        '{"keys": [1]}',
        '{"move": [1]}',
        '{"move": [NaN, 0]}',
        '{"move": "ab"}',
        '{"look": [Infinity, 0]}',
        '{"keys": ' + str(["K"] * 40).replace("'", '"') + "}",
        "[" * 20000,
    ],
)
def test_nonsense_is_refused_in_one_line(text: str):
    with pytest.raises(ControlError) as caught:
        parse(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_a_number_beyond_all_numbers_is_refused():
    with pytest.raises(ControlError, match="not understood"):
        parse('{"move": [1' + 400 * "0" + ", 0]}")


def test_a_value_for_a_setting_says_which():
    assert parse('{"put": {"group": "Drive", "label": "mix", "value": [0, 1]}}') == Put("Drive", "mix", [0, 1])
    for bad in (
        '{"put": 3}',
        '{"put": {}}',
        '{"put": {"group": "Drive", "label": 5, "value": 1}}',
        '{"put": {"other": 1}}',
    ):
        with pytest.raises(ControlError, match="message not understood"):
            parse(bad)


def test_orders_are_not_input():
    assert parse('{"edit": {"do": "keep", "start": 1}}') == {"do": "keep", "start": 1}
    for bad in ('{"edit"', '{"edit": 3}', '{"edit": {}}', '{"edit": {"do": 5}}', '{"edit": ' + "[" * 4000):
        with pytest.raises(ControlError, match="message not understood"):
            parse(bad)
