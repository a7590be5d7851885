"""Which of Harbor's agents write a trajectory at all.

Source: Harbor 0.26.0, `SUPPORTS_ATIF` of each agent.
"""

from __future__ import annotations

WITHOUT_ATIF = frozenset({"oracle", "nop", "aider", "code-puppy", "deerflow", "dspy-rlm", "fabric", "langgraph"})

WITH_ATIF = frozenset(
    {
        "acp",
        "antigravity-cli",
        "antigravity-sdk",
        "claude-code",
        "cline-cli",
        "codex",
        "computer-1",
        "copilot-cli",
        "cortex-code",
        "cursor-cli",
        "devin",
        "eve",
        "fx",
        "gemini-cli",
        "goose",
        "grok-build",
        "hermes",
        "junie",
        "kimi-cli",
        "kimi-code",
        "mimo",
        "mini-swe-agent",
        "muse-code",
        "nemo-agent",
        "openclaw",
        "opencode",
        "opencode-v2",
        "openhands",
        "openhands-sdk",
        "pi",
        "qwen-coder",
        "rovodev-cli",
        "strands",
        "swe-agent",
        "terminus-2",
        "trae-agent",
        "vibe",
    }
)
