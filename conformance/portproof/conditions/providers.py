"""The words of the ports provider and provider-wrapper."""

from __future__ import annotations

import re
from collections.abc import Callable

from portproof.conditions.words import Condition, Words, always, condition_of, when
from portproof.running.outcome import NotApplicable, NotTested
from portproof.subjects.classifier import classifier_of
from portproof.subjects.subject import Subject

__all__ = ["PROVIDER_WORDS"]


def _talks(subject: Subject) -> None:
    if not subject.talks:
        raise NotTested("the subject was not given a simulated vendor: say --wire, and name `base_url` in the factory")


def _wire(holds: Callable[[Subject], object], otherwise: str) -> Condition:
    def condition(subject: Subject) -> None:
        _talks(subject)
        if not holds(subject):
            wire = subject.wire.name if subject.wire else "this wire"
            raise NotApplicable(otherwise.format(wire=wire))

    return condition


def _feature(name: str, otherwise: str) -> Condition:
    return _wire(lambda s: s.wire is not None and name in s.wire.features, f"on {{wire}} {otherwise}")


def _on_wire(name: str) -> Condition:
    return _wire(lambda s: s.wire is not None and s.wire.name == name, "the subject's wire is {wire}")


def _declared(member: str) -> Condition:
    return when(lambda s: s.members.get(member) is not None, f"the subject declares no {member}")


def _per_model(*functions: str) -> Condition:
    return when(
        lambda s: any(s.members.get(f) is not None for f in functions or _PER_MODEL),
        "the subject declares no per-model function",
    )


def _takes(names: str) -> Condition:
    wanted = re.split(r", | and ", names)
    return when(lambda s: s.takes(*wanted), f"the factory takes no {', '.join(wanted)}")


def _kind(*kinds: str) -> Condition:
    return when(lambda s: s.kind in kinds, f"the wrapper is of another kind than {' or '.join(kinds)}")


def _or_classifier(otherwise: str) -> Condition:
    def either(subject: Subject) -> None:
        if classifier_of(subject) is None:
            condition_of(otherwise, PROVIDER_WORDS)(subject)

    return either


def _on_wires(names: str) -> Condition:
    wanted = names.split(" or ")
    return _wire(lambda s: s.wire is not None and s.wire.name in wanted, "the subject's wire is {wire}")


_PER_MODEL = ("thinking_mode", "supports_forced_tool_choice", "supports_native_output_schema")
_CLASSIFIES = when(
    lambda s: classifier_of(s) is not None,
    "the subject exposes no error classifier: is_, looks_like_ and as_context_window_exceeded, on it or in its module",
)
_STREAM = when(lambda s: s.can_stream, "the subject declares no stream")
_REPORTS = when(lambda s: s.reports, "the wrapper makes no reports of its own")
_AZURE = when(lambda s: s.name == "azure-openai", "the adapter is not Azure's")
_NUMBERS = "failure_threshold, cooldown_ms, half_open_success_threshold, clock"
_MODEL_RULES = {
    "forced tool choice is declared": "carries_forced_tool_choice",
    "native output is declared": "carries_native_output_schema",
}

#: Whole texts, where splitting at `and` would lose the sense.
_SPECIAL: dict[str, list[Condition]] = {
    "thinking_mode, supports_forced_tool_choice or supports_native_output_schema is declared": [_per_model()],
    "a per-model function is declared and the wire's model for the provider's name differs from that name": [
        _talks,
        _per_model(),
    ],
    "the factory names api_key and accepts a callable": [
        when(lambda s: s.takes("api_key"), "the factory takes no api_key")
    ],
    "the wrapper breaks circuits and takes cooldown_ms and clock": [
        _kind("circuit-breaker"),
        _takes("cooldown_ms, clock"),
    ],
    "the wrapper breaks circuits and takes its three numbers and clock": [_kind("circuit-breaker"), _takes(_NUMBERS)],
    "the wrapper retries and takes initial_delay_ms and backoff_factor": [
        _kind("retry"),
        _takes("initial_delay_ms, backoff_factor"),
    ],
    "the wrapper retries and takes max_attempts or reports it": [
        _kind("retry"),
        when(lambda s: s.reports or s.takes("max_attempts"), "the wrapper neither takes nor reports max_attempts"),
    ],
    "the wrapper takes callbacks": [
        when(
            lambda s: any(s.takes(c) for c in ("on_retry", "on_fallback", "on_state_change")),
            "the factory takes no callbacks",
        )
    ],
    "the wrapper takes primary and fallback and reports": [
        when(lambda s: s.shape == "pair", "the wrapper holds no pair"),
        _REPORTS,
    ],
    "the wrapper takes a list of providers and a name": [
        when(lambda s: s.shape == "list", "the wrapper takes no list of providers"),
        _takes("name"),
    ],
    "the wire is openai-chat and the adapter is not Azure's": [
        _on_wire("openai-chat"),
        when(lambda s: s.name != "azure-openai", "the adapter is Azure's"),
    ],
    "responses carry replay with a layout": [_talks],
    "recorded vendor errors are replayed": [_talks],
    "the adapter omits thinking of completed turns": [_feature("signed thinking", "no signed thinking is replayed")],
}

_ATOMS: list[tuple[str, Callable[..., Condition]]] = [
    (r"(.*), or the subject exposes the error classifier", _or_classifier),
    ("the subject exposes the error classifier", lambda: _CLASSIFIES),
    ("the vendor's wire has a Retry-After header", lambda: _talks),
    ("the vendor states the wait only in its message", lambda: _talks),
    ("the wire is a local runtime", lambda: _on_wire("ollama")),
    ("any of the Unsupported… errors can be provoked", always),
    ("the subject talks to a simulated vendor", lambda: _talks),
    ("stream is present", lambda: _STREAM),
    ("the subject is asynchronous", lambda: when(lambda s: not s.synchronous, "the subject is synchronous")),
    (
        "the subject is given as module:attribute",
        lambda: when(lambda s: s.module is not None, "the subject was not named by module"),
    ),
    ("a per-model function is declared", _per_model),
    ("a response states wire_manifest", lambda: _talks),
    ("responses carry replay", lambda: _talks),
    (r"(carries_in_messages|thinking_handler|prompt_caching) is declared", _declared),
    (
        "declares no prompt_caching",
        lambda: when(lambda s: s.members.get("prompt_caching") is None, "the subject declares prompt_caching"),
    ),
    (
        "prompt_caching is declared with mode markers",
        lambda: when(lambda s: _caching_mode(s) == "markers", "the subject declares no prompt caching by markers"),
    ),
    (
        r"(forced tool choice|native output) is declared(?: for the model)?",
        lambda what: when(
            lambda s: s.members.get(_MODEL_RULES[f"{what} is declared"]) is True, f"the subject does not declare {what}"
        ),
    ),
    (
        r"(forced tool choice|native output) is not declared for the model",
        lambda what: when(
            lambda s: (
                s.members.get(_MODEL_RULES[f"{what} is declared"]) is not True
                or s.members.get(_MODEL_RULES[f"{what} is declared"].replace("carries", "supports")) is not None
            ),
            f"the subject declares {what} for every model",
        ),
    ),
    ("supports_forced_tool_choice answers false for a model", lambda: _declared("supports_forced_tool_choice")),
    ("thinking_mode answers none for a model", lambda: _declared("thinking_mode")),
    (r"thinking_mode answers (?:budget|adaptive)", lambda: _declared("thinking_mode")),
    (r"the adapter has the option (\w+)", _takes),
    (
        "system is not carried",
        lambda: when(
            lambda s: "system" not in (s.members.get("carries_in_messages") or ()),
            "the subject carries system messages",
        ),
    ),
    ("the adapter is Azure OpenAI", lambda: _AZURE),
    (r"the wire is ([a-z-]+ or [a-z-]+)", _on_wires),
    (r"the wire is (openai-chat|openai-responses|anthropic-messages|bedrock-converse|gemini|ollama)", _on_wire),
    (
        r"is not (gemini)",
        lambda name: _wire(lambda s: s.wire is not None and s.wire.name != name, "the wire is {wire}"),
    ),
    (
        "the subject talks to a simulated vendor whose wire pairs by id",
        lambda: _feature("pairs by id", "results are not paired by id"),
    ),
    ("the wire carries argument text", lambda: _feature("argument text", "arguments are no text")),
    ("the wire streams or carries tool arguments as text", lambda: _feature("argument text", "arguments are no text")),
    ("the wire streams arguments in pieces", lambda: _feature("argument pieces", "arguments come whole")),
    ("the wire carries thinking apart from text", lambda: _feature("thinking", "no thinking is carried")),
    ("the wire streams thinking", lambda: _feature("thinking", "no thinking is carried")),
    ("the wire gives a response id", lambda: _feature("response id", "there is no response id")),
    ("the wire may give no response id", lambda: _feature("may omit id", "there is always a response id")),
    ("the wire has error events", lambda: _feature("error events", "there are no error events")),
    ("the wire is text-based", lambda: _feature("text-based", "frames are binary")),
    ("the wire may omit usage", lambda: _feature("may omit usage", "usage is never omitted")),
    ("the wire omits tool call ids", lambda: _feature("may omit call ids", "calls always have ids")),
    ("the wire replays signed thinking", lambda: _feature("signed thinking", "no signed thinking is replayed")),
    ("the wire reports cache or thinking counts", lambda: _feature("optional counts", "there are no such counts")),
    ("the wire reports usage in a stream", lambda: _feature("stream usage", "streams report no usage")),
    (
        "the wire streams server-sent events",
        lambda: _feature("server-sent events", "streams are no server-sent events"),
    ),
    (
        "the kind is not other",
        lambda: when(lambda s: s.kind != "other", "the wrapper's kind is not known; say --adapter-option kind=…"),
    ),
    ("the wrapper is of a known kind", lambda: _kind("retry", "fallback", "circuit-breaker")),
    ("the wrapper retries", lambda: _kind("retry")),
    ("the wrapper falls back", lambda: _kind("fallback")),
    ("the wrapper breaks circuits", lambda: _kind("circuit-breaker")),
    ("the wrapper breaks circuits or falls back", lambda: _kind("circuit-breaker", "fallback")),
    ("the wrapper makes several inner calls in one call", lambda: _kind("retry", "fallback")),
    (
        "the wrapper holds one provider",
        lambda: when(lambda s: s.shape == "one", "the wrapper holds several providers"),
    ),
    (
        "the wrapper holds several providers",
        lambda: when(lambda s: s.shape != "one", "the wrapper holds one provider"),
    ),
    (
        "the wrapper takes a list of providers",
        lambda: when(lambda s: s.shape == "list", "the wrapper takes no list of providers"),
    ),
    ("the wrapper reports", lambda: _REPORTS),
    ("reports", lambda: _REPORTS),
    (r"only the (?:primary|fallback) can stream", always),
    (r"takes ([\w, ]+)", _takes),
]


def _caching_mode(subject: Subject) -> str | None:
    caching = subject.members.get("prompt_caching")
    return caching.get("mode") if isinstance(caching, dict) else getattr(caching, "mode", None)


PROVIDER_WORDS = Words(_ATOMS, _SPECIAL)
