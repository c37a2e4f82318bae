"""Contracts, reference implementations and a simulator for the ports of LLM-agent systems."""
