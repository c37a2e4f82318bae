"""Wrappers of one provider that declare something else than it does."""

from __future__ import annotations

from typing import Any, ClassVar

from portproof.selftest import defect

from ._wrappers import Transparent

PER_MODEL = ("thinking_mode", "supports_forced_tool_choice", "supports_native_output_schema")


class Forgetful(Transparent):
    """Does not carry some members over."""

    forgets: ClassVar[tuple[str, ...]] = ()

    def carry(self, member: str, value: Any) -> None:
        if member not in self.forgets:
            super().carry(member, value)


@defect("WRP-ROLES-FORWARDED", kind="transparent")
class ForgetsRoles(Forgetful):
    """Does not copy the roles."""

    forgets = ("carries_in_messages",)


@defect("WRP-ROLES-FORWARDED", kind="transparent")
class TakesNoRolesForSilence(Transparent):
    """Takes an empty list of roles for absence."""

    def carry(self, member: str, value: Any) -> None:
        if value or member != "carries_in_messages":
            super().carry(member, value)


@defect("WRP-ROLES-ABSENT-STAYS-ABSENT", kind="transparent")
class CarriesEverythingByDefault(Transparent):
    """Declares all roles unless the inner provider says otherwise."""

    carries_in_messages: Any = ("system", "user", "assistant")


@defect("WRP-FORCED-CHOICE-FORWARDED", kind="transparent")
class ForgetsForcedChoice(Forgetful):
    """Does not copy the flag for forced tool choices."""

    forgets = ("carries_forced_tool_choice",)


@defect("WRP-FORCED-CHOICE-FORWARDED", kind="transparent")
class ForcesByDefault(Transparent):
    """Promises a forced tool choice unless the inner provider declines."""

    carries_forced_tool_choice: Any = True


@defect("WRP-FORCED-CHOICE-MODEL-FORWARDED", kind="transparent")
class ForgetsWhichModelsAreForced(Forgetful):
    """Forwards the flag and forgets the younger predicate."""

    forgets = ("supports_forced_tool_choice",)


@defect("WRP-NATIVE-OUTPUT-FORWARDED", kind="transparent")
class ForgetsNativeOutput(Forgetful):
    """Knows only the flag for forced tool choices."""

    forgets = ("carries_native_output_schema",)


@defect("WRP-NATIVE-OUTPUT-MODEL-FORWARDED", kind="transparent")
class ForgetsWhichModelsTakeSchemas(Forgetful):
    """Forwards the flag for native output only."""

    forgets = ("supports_native_output_schema",)


@defect("WRP-NATIVE-OUTPUT-MODEL-FORWARDED", kind="transparent")
class AsksTheWrongPredicate(Transparent):
    """Puts the predicate for forced tool choices in the place of the one for native output."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        if getattr(inner, "supports_native_output_schema", None) is not None:
            self.supports_native_output_schema = getattr(inner, "supports_forced_tool_choice", None)


@defect("WRP-THINKING-MODE-FORWARDED", kind="transparent")
class ForgetsThinkingMode(Forgetful):
    """Does not copy thinking_mode."""

    forgets = ("thinking_mode",)


@defect("WRP-THINKING-MODE-FORWARDED", kind="transparent")
class AsksThinkingModeOnce(Transparent):
    """Asks for the mode of one model and answers for all with it."""

    def carry(self, member: str, value: Any) -> None:
        if member == "thinking_mode":
            answer = value("gpt-4o")
            value = lambda model: answer  # noqa: E731
        super().carry(member, value)


@defect("WRP-PER-MODEL-FUNCTIONS-AS-VALUES", kind="transparent")
class MakesMethodsOfFunctions(Transparent):
    """Puts the inner provider's functions on its class."""

    def __init__(self, inner: Any) -> None:
        functions = {name: getattr(inner, name) for name in PER_MODEL if getattr(inner, name, None) is not None}
        self.__class__ = type("Wrapping", (type(self),), functions)
        super().__init__(inner)

    def carry(self, member: str, value: Any) -> None:
        if member not in PER_MODEL:
            super().carry(member, value)


@defect("WRP-PER-MODEL-FUNCTIONS-AS-VALUES", kind="transparent")
class PassesItselfAlong(Transparent):
    """Calls the inner predicates with one argument more."""

    def carry(self, member: str, value: Any) -> None:
        if member == "supports_native_output_schema":
            super().carry(member, lambda model: value(model, self))
        else:
            super().carry(member, value)


@defect("WRP-THINKING-HANDLER-FORWARDED", kind="transparent")
class LooksHandlersUp(Transparent):
    """Leaves the handler to a registry by name, where the suffix is not known."""

    registry: ClassVar[dict[str, Any]] = {}

    def carry(self, member: str, value: Any) -> None:
        value = self.registry.get(self.name) if member == "thinking_handler" else value
        if value is not None:
            super().carry(member, value)


@defect("WRP-PROMPT-CACHING-FORWARDED", kind="transparent")
class ForgetsCaching(Forgetful):
    """Does not copy prompt_caching."""

    forgets = ("prompt_caching",)


@defect("WRP-CAPABILITIES-THROUGH-STACKS", kind="transparent")
class ForgetsWhenNested(Transparent):
    """Reads the members from the class and from what was there at first, which a wrapper inside has not."""

    def carry(self, member: str, value: Any) -> None:
        if not isinstance(self.inner, ForgetsWhenNested):
            super().carry(member, value)


@defect("WRP-MEMBERS-NOT-INVENTED", kind="transparent")
class ThinksByDefault(Transparent):
    """Answers thinking_mode with budget by default."""

    def __init__(self, inner: Any) -> None:
        self.thinking_mode = lambda model: "budget"
        super().__init__(inner)


@defect("WRP-MEMBERS-NOT-INVENTED", kind="transparent")
class RestrictsByDefault(Transparent):
    """Restricts forced tool choices to the models that it knows, whatever the inner provider says of them."""

    def __init__(self, inner: Any) -> None:
        self.supports_forced_tool_choice = lambda model: model.startswith("gpt")
        super().__init__(inner)
