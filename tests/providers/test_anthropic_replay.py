"""How thinking goes from the vendor to the caller and back."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from agentports.ports import (
    LayoutEntry,
    LLMCallHooks,
    LLMMessage,
    MessageReplay,
    ProviderError,
    ThinkingBlock,
    ThinkingReplayOmission,
    UnsupportedThinkingError,
)
from agentports.sim import Thinking, ToolCall, Turn, VendorError
from tests.providers.anthropic_doubles import USER, Service, ask, assistant, body, call, kept, result, thought

SIGNATURE = " Eu8B+/=\u00e9\\n\n" + "x" * 10_000
TURN = Turn.of(
    Thinking("Add them.", SIGNATURE),
    "First ",
    Thinking("", "aGlkZGVu", redacted=True),
    "then",
    Thinking("", "kept back"),
    ToolCall("c1", "add", {"x": 1}),
)
SENT = [
    {"type": "thinking", "thinking": "Add them.", "signature": SIGNATURE},
    {"type": "text", "text": "First "},
    {"type": "redacted_thinking", "data": "aGlkZGVu"},
    {"type": "text", "text": "then"},
    {"type": "thinking", "thinking": "", "signature": "kept back"},
    {"type": "tool_use", "id": "c1", "name": "add", "input": {"x": 1}},
]


def spoken(*messages: LLMMessage, at: int = 1) -> Any:
    """The content of one turn of the body."""
    return body(*messages)["messages"][at]["content"]


def refused(*messages: LLMMessage, at: int = 1) -> Any:
    """The content of one turn of a body that the vendor refuses for a missing signature."""
    service = Service()
    for asking in (service.complete, service.stream):
        with pytest.raises(ProviderError, match="signature: Field required"):
            asking(ask(*messages))
    return service.bodies[0]["messages"][at]["content"]


def omission(index: int, reason: Any, blocks: int = 1) -> ThinkingReplayOmission:
    """Build an omission."""
    return ThinkingReplayOmission(message_index=index, blocks=blocks, reason=reason)


def omissions(*messages: LLMMessage, **fields: Any) -> list[ThinkingReplayOmission] | None:
    """What a call says that it left out: in its response, and to hooks, with complete and with stream."""
    told: list[Any] = []
    hooks = LLMCallHooks(on_replay_prepared=told.append)
    answers = [
        asking(ask(*messages, **fields), given)
        for asking in (Service().complete, Service().streamed)
        for given in (hooks, None)
    ]
    stated = answers[0].replay_omissions
    assert all(answer.replay_omissions == stated for answer in answers)
    assert [(each.provider, each.omissions) for each in told] == ([("anthropic", stated)] * 2 if stated else [])
    return stated


# ---- there and back


@pytest.mark.parametrize("way", ["complete", "streamed"])
def test_an_answer_goes_back_block_for_block_as_it_came(way: str) -> None:
    """In its order, byte for byte, through a checkpoint, in the open turn and in a completed one."""
    message = kept(getattr(Service(TURN), way)())
    assert spoken(USER, message, result()) == SENT
    assert spoken(USER, message, result(), USER) == SENT
    assert omissions(USER, message, result(), USER) is None


def test_the_handler_gives_the_blocks_in_order() -> None:
    """Signatures as they are; a redacted block has no content."""
    blocks = kept(Service(TURN).complete()).thinking_blocks
    assert blocks == [
        ThinkingBlock(content="Add them.", signature=SIGNATURE),
        ThinkingBlock(type="redacted_thinking", signature="aGlkZGVu"),
        ThinkingBlock(signature="kept back"),
    ]


@pytest.mark.parametrize("key", ["data", "signature"])
def test_a_redacted_block_keeps_the_key_of_its_value(key: str) -> None:
    """The vendor's key, and that of other servers."""
    wire_block = {"type": "redacted_thinking", key: "b3BhcXVl"}
    (block,) = Service().provider.thinking_handler.normalize([wire_block])
    assert block.content == ""
    assert spoken(USER, assistant("", call(), thinking=[block]), result())[0] == wire_block


@pytest.mark.parametrize(
    "raw",
    [
        None,
        3,
        "thinking",
        {"type": "thinking", "thinking": "hm"},
        [None, "x", 1, []],
        [{"type": "thinking", "thinking": 1}],
        [{"type": "redacted_thinking"}],
        [{"type": "redacted_thinking", "data": ""}],
        [{"type": []}],
    ],
)
def test_the_handler_passes_over_what_it_does_not_know(raw: Any) -> None:
    """Anything may come; nothing is changed."""
    before = copy.deepcopy(raw)
    assert Service().provider.thinking_handler.normalize(raw) == []
    assert raw == before


def test_a_block_without_a_signature_gets_none() -> None:
    """An empty one, as streams begin with, counts as none, and none is invented for the way back."""
    blocks = Service().provider.thinking_handler.normalize([{"type": "thinking", "thinking": "hm", "signature": ""}])
    assert blocks == [ThinkingBlock(content="hm")]
    assert refused(USER, assistant("", call(), thinking=blocks), result())[0] == {"type": "thinking", "thinking": "hm"}


def test_without_evidence_thinking_comes_first() -> None:
    """Then the text, then the calls."""
    turn = assistant("Well", call(), thinking=[thought("a", "1"), thought("b", "2")])
    assert [block["type"] for block in spoken(USER, turn, result())] == ["thinking", "thinking", "text", "tool_use"]


def test_the_handler_names_its_provider() -> None:
    """Also under a name of its own."""
    assert Service(name="mine").provider.thinking_handler.provider_names == ("anthropic", "mine")


# ---- what cannot go back


def evidence(**fields: Any) -> LLMMessage:
    """An answer whose evidence is changed."""
    message = kept(Service(TURN).complete())
    assert message.replay is not None
    return message.model_copy(update={"replay": message.replay.model_copy(update=fields)})


GOOD = kept(Service(TURN).complete())
LAYOUT = GOOD.replay.layout if GOOD.replay else []
BROKEN = {
    "a text that was lengthened": (GOOD.model_copy(update={"content": GOOD.content + "!"}), "layout-mismatch"),
    "a text that was changed": (GOOD.model_copy(update={"content": GOOD.content.upper()}), "digest-mismatch"),
    "a call that is gone": (GOOD.model_copy(update={"tool_calls": []}), "layout-mismatch"),
    "arguments that were changed": (GOOD.model_copy(update={"tool_calls": [call(y=2)]}), "digest-mismatch"),
    "a piece that is named twice": (evidence(layout=[*LAYOUT, LAYOUT[0]]), "layout-mismatch"),
    "a text without a length": (evidence(layout=[LayoutEntry(kind="text", index=0)]), "layout-mismatch"),
    "a digest of something else": (evidence(digest="00"), "digest-mismatch"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_thinking_beside_evidence_that_does_not_fit_is_left_out_of_a_completed_turn(what: str) -> None:
    """All of the turn's thinking, and it is reported; text and calls stay."""
    message, reason = BROKEN[what]
    answers = [result()] if message.tool_calls else []
    assert omissions(USER, message, *answers, USER) == [omission(1, reason, blocks=3)]
    left = spoken(USER, message, *answers, USER)
    assert left == message.content or [block["type"] for block in left] == ["text", "tool_use"]


@pytest.mark.parametrize("what", BROKEN)
def test_thinking_of_the_open_turn_goes_back_whatever_its_evidence_says(what: str) -> None:
    """It is never left out; evidence that does not fit gives no order."""
    message, _ = BROKEN[what]
    answers = [result()] if message.tool_calls else []
    assert omissions(USER, message, *answers) is None
    assert spoken(USER, message, *answers)[:3] == [SENT[0], SENT[2], SENT[4]]


def test_unsigned_thinking_is_left_out_of_completed_turns_only() -> None:
    """The signed block beside it stays; where the turn is open, both go back, and it is for the vendor to refuse."""
    turn = assistant("Well", call(), thinking=[thought("bare", None), thought("proved", "sig"), thought("bare", None)])
    assert omissions(USER, turn, result(), USER) == [omission(1, "unsigned", blocks=2)]
    assert [block.get("thinking") for block in spoken(USER, turn, result(), USER)] == ["proved", None, None]
    assert [block.get("thinking") for block in refused(USER, turn, result())][:3] == ["bare", "proved", "bare"]


def test_a_model_that_does_not_think_gets_no_thinking() -> None:
    """Completed turns lose it, and that is reported; an open turn is refused before anything is sent."""
    turn, model = assistant("Well", call(), thinking=[thought()]), "claude-3-5-haiku-20241022"
    assert omissions(USER, turn, result(), USER, model=model) == [omission(1, "unsupported-by-model")]
    service = Service()
    for asking in (service.complete, service.stream):
        with pytest.raises(UnsupportedThinkingError):
            asking(ask(USER, turn, result(), model=model))
    assert service.bodies == []


def test_an_open_turn_with_hidden_thinking_that_was_lost_is_refused() -> None:
    """Its value is missing, so it cannot go back; in a completed turn it is left out."""
    turn = assistant("Well", call(), thinking=[ThinkingBlock(type="redacted_thinking")])
    service = Service()
    with pytest.raises(ProviderError) as caught:
        service.complete(ask(USER, turn, result()))
    assert (caught.value.code, service.bodies) == ("THINKING_NOT_REPLAYABLE", [])
    assert omissions(USER, turn, result(), USER) == [omission(1, "unsigned")]


def test_every_omission_is_reported_at_once_and_before_anything_is_sent() -> None:
    """One call of the hook for all turns, also when the request fails afterwards."""
    bare = assistant("Well", thinking=[thought("bare", None)])
    service, told = Service(VendorError(500)), []
    hooks = LLMCallHooks(on_replay_prepared=lambda each: told.append((each, len(service.bodies))))
    with pytest.raises(ProviderError):
        service.complete(ask(USER, bare, USER, bare, USER), hooks)
    (preparation, sent), *more = told
    assert more == []
    assert sent == 0
    assert preparation.omissions == [omission(1, "unsigned"), omission(3, "unsigned")]
    assert preparation.model == "claude-sonnet-4-5-20250929"


def test_a_hook_that_raises_reaches_the_caller() -> None:
    """Its exception is the caller's own, and nothing is sent."""

    def fail(_: Any) -> None:
        raise KeyError("mine")

    service = Service()
    with pytest.raises(KeyError):
        service.complete(ask(USER, assistant("x", thinking=[thought("bare", None)]), USER), LLMCallHooks(fail))
    assert service.bodies == []


def test_evidence_is_plain_data() -> None:
    """It is equal after a round trip through JSON."""
    replay = Service(TURN).complete().replay
    assert replay is not None
    assert MessageReplay.model_validate_json(replay.model_dump_json()) == replay
    assert [(entry.kind, entry.index, entry.chars) for entry in replay.layout] == [
        ("thinking", 0, None),
        ("text", 0, 6),
        ("redacted_thinking", 0, None),
        ("text", 1, 4),
        ("thinking", 1, None),
        ("tool_call", 0, None),
    ]
