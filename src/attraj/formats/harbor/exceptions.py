"""What each exception that ends a trial means: may it be retried, is it graded, does its reward count.

Source: Harbor 0.26.0, models/trial/error_policy.py. Releases before 0.25 have no policy: any reward there counts.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Policy:
    """One group of exception types.

    Attributes:
        group: What the exception says of the run, in words for a person.
        retry, grade, reward_valid: Harbor's policy for the group.
    """

    group: str
    retry: bool
    grade: bool
    reward_valid: bool


ENVIRONMENT = Policy("the environment or the infrastructure failed", retry=True, grade=False, reward_valid=False)
PROVIDER = Policy("the model's provider or the network failed", retry=True, grade=True, reward_valid=False)
REQUEST = Policy("the request was wrong or the verifier gave no reward", retry=False, grade=True, reward_valid=False)
SETUP = Policy("the user's setup is at fault, or the trial was cancelled", retry=False, grade=False, reward_valid=False)
AGENT = Policy("the agent came to its own end", retry=False, grade=True, reward_valid=True)
UNKNOWN = Policy("of a type that Harbor has no policy for", retry=True, grade=True, reward_valid=True)

_GROUPS: dict[Policy, tuple[str, ...]] = {
    ENVIRONMENT: (
        "EnvironmentStartTimeoutError",
        "SandboxBuildFailedError",
        "AgentSetupTimeoutError",
        "HealthcheckError",
        "SandboxLikelyOutOfMemoryError",
        "MemoryLimitExceededError",
        "SSHAccessError",
        "GKEExecStreamClosedError",
        "GKEPodNotFoundError",
        "RuntimeRequestError",
        "AddTestsDirError",
        "DownloadVerifierDirError",
    ),
    PROVIDER: (
        "ApiError",
        "ApiRateLimitError",
        "ApiInternalServerError",
        "ApiOverloadedError",
        "ApiConnectionClosedError",
        "ApiResponseStalledError",
        "UnknownApiError",
        "NetworkConnectionError",
        "ApiConnectionError",
        "ApiUsageLimitError",
        "RateLimitError",
        "InternalServerError",
        "ServiceUnavailableError",
        "APIConnectionError",
        "APIError",
        "Timeout",
    ),
    REQUEST: (
        "UnsupportedModelParametersError",
        "BadRequestError",
        "UnprocessableEntityError",
        "UnsupportedParamsError",
        "APIResponseValidationError",
        "BudgetExceededError",
        "VerifierTimeoutError",
        "RewardFileNotFoundError",
        "RewardFileEmptyError",
        "VerifierOutputParseError",
    ),
    SETUP: (
        "AgentAuthenticationError",
        "ModelNotFoundError",
        "ApiProviderResourceNotFoundError",
        "AuthenticationError",
        "PermissionDeniedError",
        "NotFoundError",
        "ServiceOperationsUnsupportedError",
        "VercelScopeError",
        "DspyImportError",
        "MissingExtraError",
        "RegradeError",
        "CancelledError",
    ),
    AGENT: (
        "NonZeroAgentExitCodeError",
        "AgentTimeoutError",
        "ContextWindowExceededError",
        "OutputTokenExceededError",
        "ContextLengthExceededError",
        "OutputLengthExceededError",
        "AgentSafetyRefusalError",
        "ContentPolicyViolationError",
    ),
}

POLICIES: dict[str, Policy] = {name: policy for policy, names in _GROUPS.items() for name in names}

# The verifier ran, and there is no reward because of what it left behind.
WITHOUT_REWARD = frozenset(
    {"VerifierTimeoutError", "RewardFileNotFoundError", "RewardFileEmptyError", "VerifierOutputParseError"}
)

_FIRST_WITH_POLICY = (0, 25)


def has_policy(release: str) -> bool | None:
    """Whether a release of Harbor goes by the table; None when it is not known (atif.md §5.5)."""
    parts = release.split(".")[:2]
    if len(parts) < 2 or not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
        return None
    return tuple(map(int, parts)) >= _FIRST_WITH_POLICY


def policy_of(exception_type: str) -> Policy:
    """Harbor's policy for an exception type, by its exact name; UNKNOWN for any other."""
    return POLICIES.get(exception_type, UNKNOWN)


def named(exception_type: str) -> str:
    """The type when it is one of the table's own words, else a word of ours: a name of the document is never shown."""
    return exception_type if exception_type in POLICIES else "an exception"
