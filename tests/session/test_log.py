"""What the window has to say."""

from kinema.session.log import KEPT, Log


def test_messages_are_one_line_and_repeats_are_counted():
    echoed: list[str] = []
    log = Log(echoed.append)
    log.say("first\nof two", "error")
    log.say("first\nof two", "error")
    log.say("just so")
    assert [(line.text, line.count) for line in log.lines] == [("first of two", 2), ("just so", 1)]
    assert echoed == ["first of two"]


def test_notes_fade_and_errors_stay():
    log = Log()
    log.say("written")
    log.now = 100.0
    assert log.latest() is None
    log.say("broken", "error")
    log.now = 1000.0
    latest = log.latest()
    assert latest is not None and latest.text == "broken"


def test_old_messages_go():
    log = Log()
    for number in range(2 * KEPT):
        log.say(str(number))
    assert len(log.lines) == KEPT and log.lines[-1].text == str(2 * KEPT - 1)
