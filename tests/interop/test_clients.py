"""Clients nobody here wrote, against live servers: each failure arrives whole, and no secret does."""

from __future__ import annotations

import pytest

from tests.interop.meetings import (
    CLIENTS,
    LEGACY,
    MEETINGS,
    SERVERS,
    Arrived,
    Meet,
    Meeting,
    Server,
    held,
    served,
)
from tests.interop.things import CLOSED, SECRET, SUCCESS, THINGS, Thing

pytestmark = pytest.mark.timeout(180)

every_meeting = pytest.mark.parametrize("meeting", MEETINGS, ids=str)
every_server = pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.kind)


@every_meeting
def test_every_failure_arrives_in_its_channel_under_its_code(meeting: Meeting, meet: Meet) -> None:
    answers = meet(meeting)
    asked = [thing for thing in THINGS if thing.name not in meeting.client.decides]
    got = {thing.name: _facts(answers[thing.name]) for thing in asked}

    assert got == {thing.name: _expected(thing, meeting) for thing in asked}


@every_meeting
def test_what_the_agent_reads_says_what_happened_and_under_which_error_id(
    meeting: Meeting, meet: Meet
) -> None:
    for thing in THINGS:
        if thing.name not in meeting.client.decides:
            answer = meet(meeting)[thing.name]
            assert thing.says in answer.text
            assert f"error id {answer.error.get('error_id', '')}" in answer.text


@every_meeting
def test_no_secret_arrives(meeting: Meeting, meet: Meet) -> None:
    assert SECRET not in repr(meet(meeting))


@every_meeting
def test_what_succeeds_after_all_that_arrives_as_its_schema_says(meeting: Meeting, meet: Meet) -> None:
    answer = meet(meeting)[SUCCESS]

    assert _facts(answer) == (False, None, None)
    assert answer.structured == {"grams": 1}


@every_server
def test_a_widened_output_schema_carries_the_error_to_a_client_that_validates(
    server: Server, installed: None
) -> None:
    with served(*server.command, "http", MCP_ERRORS_WIDEN_OUTPUT_SCHEMA="true") as url:
        answers = held(Meeting(CLIENTS[0], server, "http", LEGACY), url)

    assert answers[CLOSED].error["name"] == "InternalError"
    assert answers[CLOSED].structured == {"error": answers[CLOSED].error}
    assert answers[SUCCESS].structured == {"grams": 1}


def _facts(answer: Arrived) -> tuple[bool, int | None, str | None]:
    return answer.failed, answer.number, answer.error.get("name")


def _expected(thing: Thing, meeting: Meeting) -> tuple[bool, int | None, str | None]:
    if thing.number is None or meeting.client.keeps_data:
        return True, thing.number, thing.code
    return True, None, None
