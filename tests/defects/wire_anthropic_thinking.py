"""Adapters that ask Anthropic's models for thinking in the wrong way."""

from __future__ import annotations

from typing import Any

from agentports.ports import ThinkingIntent
from agentports.providers import AnthropicMessagesProvider
from portproof.selftest import defect


@defect("WIRE-ANT-THINKING-BUDGET", wire="anthropic-messages")
class LeavesTheCapAtItsDefault(AnthropicMessagesProvider):
    """Makes no room for the budget."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        return {**super().cap_fields(request), "max_tokens": request.max_tokens or 4096}


@defect("WIRE-ANT-THINKING-BUDGET", wire="anthropic-messages")
class TakesTheBudgetForTheCap(AnthropicMessagesProvider):
    """Raises the cap to the budget, which the vendor wants exceeded."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        if request.thinking is None:
            return fields
        cap = 4096 if request.max_tokens is None else request.max_tokens
        return {**fields, "max_tokens": max(cap, request.thinking.budget)}


@defect("WIRE-ANT-THINKING-BUDGET", wire="anthropic-messages")
class AddsTheBudgetToTheCap(AnthropicMessagesProvider):
    """Adds the budget to a cap that holds it already."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        added = 0 if request.thinking is None else request.thinking.budget
        return {**fields, "max_tokens": fields["max_tokens"] + added}


@defect("WIRE-ANT-THINKING-ADAPTIVE", wire="anthropic-messages")
class SendsABudgetToEveryModel(AnthropicMessagesProvider):
    """Writes budget_tokens, whatever the model is."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        if request.thinking is not None:
            fields["thinking"] = {"type": "enabled", "budget_tokens": request.thinking.budget}
        return fields


@defect("WIRE-ANT-THINKING-ADAPTIVE", wire="anthropic-messages")
class MakesNoRoomWhereNoBudgetIsSent(AnthropicMessagesProvider):
    """Leaves the cap as it is for models that adapt."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        adapts = fields.get("thinking", {}).get("type") == "adaptive"
        return {**fields, "max_tokens": request.max_tokens or 4096} if adapts else fields


@defect("WIRE-ANT-THINKING-ADAPTIVE", wire="anthropic-messages")
class LeavesTheDisplayToTheVendor(AnthropicMessagesProvider):
    """Does not ask for summaries, so that newer models show nothing."""

    def cap_fields(self, request: Any) -> dict[str, Any]:
        fields = super().cap_fields(request)
        fields.get("thinking", {}).pop("display", None)
        return fields


@defect("WIRE-ANT-BUDGET-INVALID-REFUSED", wire="anthropic-messages")
class SendsAnyBudget(AnthropicMessagesProvider):
    """Leaves it to the vendor to refuse a budget."""

    def check_budget(self, model: str, budget: object) -> None:
        return


@defect("WIRE-ANT-BUDGET-INVALID-REFUSED", wire="anthropic-messages")
class RoundsBudgets(AnthropicMessagesProvider):
    """Cuts a fraction off instead of refusing it."""

    def build_body(self, request: Any, *, streaming: bool) -> dict[str, Any]:
        wish = request.thinking and ThinkingIntent(budget=int(request.thinking.budget))
        return super().build_body(request.model_copy(update={"thinking": wish}), streaming=streaming)

    def check_budget(self, model: str, budget: Any) -> None:
        super().check_budget(model, int(budget))


@defect("WIRE-ANT-BUDGET-INVALID-REFUSED", wire="anthropic-messages")
class RefusesTheLeastBudget(AnthropicMessagesProvider):
    """Takes the smallest budget for too small."""

    def check_budget(self, model: str, budget: Any) -> None:
        super().check_budget(model, budget - 1)
