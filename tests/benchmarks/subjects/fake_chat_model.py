"""The peer suite's standard tests on the peer's own fake model, which says hello."""

from __future__ import annotations

from typing import Any

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_tests.unit_tests import ChatModelUnitTests


class FakeChatModel(GenericFakeChatModel):
    """Has a name, which the standard tests ask for."""

    model: str = "fake"


class TestFakeChatModel(ChatModelUnitTests):
    """The peer's rules."""

    @property
    def chat_model_class(self) -> type[FakeChatModel]:
        return FakeChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"messages": iter([AIMessage(content="hello")])}
