"""Pairs that promise what only one side keeps."""

from __future__ import annotations

from typing import Any, ClassVar

from agentports.ports import carried_roles
from portproof.selftest import defect

from ._fallback import Chain, Pair


class Primary(Pair):
    """Declares some of the primary's members as its own."""

    takes: ClassVar[tuple[str, ...]] = ()

    def publish(self) -> None:
        super().publish()
        for member in self.takes:
            setattr(self, member, getattr(self.primary, member, None))


@defect("WRP-PAIR-ROLES-INTERSECTION")
class TakesThePrimarysRoles(Pair):
    """Carries what the primary carries."""

    def publish(self) -> None:
        super().publish()
        self.carries_in_messages = carried_roles(self.primary)


@defect("WRP-PAIR-ROLES-INTERSECTION")
class ForgetsTheThirdsRoles(Chain):
    """Carries what the first two of a chain carry."""

    def publish(self) -> None:
        super().publish()
        first, second = self.inners[:2]
        self.carries_in_messages = [role for role in carried_roles(first) if role in carried_roles(second)]


@defect("WRP-PAIR-ROLES-FLOOR")
class SkipsUndeclaredSides(Pair):
    """Leaves out a side that declares no roles."""

    def publish(self) -> None:
        super().publish()
        declared = [inner.carries_in_messages for inner in self.inners if getattr(inner, "carries_in_messages", None)]
        if len(declared) == 1:
            self.carries_in_messages = declared[0]


@defect("WRP-PAIR-FORCED-CHOICE-AND")
class ForcesWhenOneDoes(Pair):
    """Claims forced tool choices when either side does."""

    def publish(self) -> None:
        super().publish()
        self.carries_forced_tool_choice = any(
            getattr(inner, "carries_forced_tool_choice", None) for inner in self.inners
        )


@defect("WRP-PAIR-FORCED-CHOICE-AND")
class TakesSilenceForYes(Pair):
    """Claims forced tool choices unless a side declines."""

    def publish(self) -> None:
        super().publish()
        flags = [getattr(inner, "carries_forced_tool_choice", None) for inner in self.inners]
        self.carries_forced_tool_choice = True in flags and False not in flags


@defect("WRP-PAIR-FORCED-CHOICE-PER-MODEL")
class TakesThePrimarysForcedModels(Primary):
    """Forwards the primary's predicate."""

    takes = ("supports_forced_tool_choice",)


@defect("WRP-PAIR-NATIVE-OUTPUT-AND")
class TakesThePrimarysNativeOutput(Primary):
    """Publishes the primary's flag."""

    takes = ("carries_native_output_schema",)


@defect("WRP-PAIR-NATIVE-OUTPUT-AND")
class PublishesNoNativeOutput(Pair):
    """Does not publish native output at all."""

    def publish(self) -> None:
        super().publish()
        self.carries_native_output_schema = None


@defect("WRP-PAIR-NATIVE-OUTPUT-PER-MODEL")
class TakesThePrimarysNativeModels(Primary):
    """Asks the primary's predicate only."""

    takes = ("supports_native_output_schema",)


@defect("WRP-PAIR-NATIVE-OUTPUT-PER-MODEL")
class AllowsWhatOneAllows(Pair):
    """Allows native output for a model that either side allows."""

    def publish(self) -> None:
        super().publish()
        asked = [getattr(inner, "supports_native_output_schema", None) for inner in self.inners]
        self.supports_native_output_schema = lambda model: any(ask is None or ask(model) for ask in asked)


@defect("WRP-PAIR-THINKING-NONE")
class TakesThePrimarysThinking(Primary):
    """Answers with the primary's table."""

    takes = ("thinking_mode",)


@defect("WRP-PAIR-THINKING-ABSENT")
class ThinksWhenNobodyDoes(Pair):
    """Publishes a function that answers budget when no side has one."""

    def publish(self) -> None:
        self.thinking_mode: Any = lambda model: "budget"
        super().publish()


@defect("WRP-PAIR-HANDLER")
class TakesThePrimarysHandler(Primary):
    """Publishes the primary's handler only."""

    takes = ("thinking_handler",)


@defect("WRP-PAIR-CACHING")
class TakesThePrimarysCaching(Primary):
    """Publishes the primary's caching."""

    takes = ("prompt_caching",)


def _fallbacks_own(primary: Any, fallback: Any) -> Any:
    return getattr(primary, "prompt_caching", None) or getattr(fallback, "prompt_caching", None)


@defect("WRP-PAIR-CACHING")
class TakesAnyCaching(Pair):
    """Publishes the caching of the side that has one."""

    def publish(self) -> None:
        super().publish()
        self.prompt_caching = _fallbacks_own(self.primary, self.fallback)
