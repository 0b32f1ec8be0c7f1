"""Errors of calls and of callbacks."""

from typing import Any, Optional


class HengfuError(Exception):
    """The service refused a call. Depend on ``code``, never on the message."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        request_id: Optional[str] = None,
        details: Optional[dict[str, Any]] = None,
        errors: Optional[dict[str, list[str]]] = None,
        retry_after: Optional[int] = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        """The HTTP status."""
        self.code = code
        """A stable code, as in ``insufficient_funds``; ``unreadable_reply`` if the reply was not the service's own."""
        self.request_id = request_id
        """Names the request to our support team."""
        self.details = details or {}
        """Data about the error, such as ``left`` of ``refund_exceeds``."""
        self.errors = errors or {}
        """Messages by field, with ``validation_failed``."""
        self.retry_after = retry_after
        """Seconds to wait, if the service said so."""

    @property
    def is_rate_limit(self) -> bool:
        """Whether you called too often."""
        return self.status == 429

    @property
    def is_temporary(self) -> bool:
        """Whether the same call, under the same number, may succeed later."""
        return self.status == 429 or self.status >= 500 or is_about_earlier_attempt(self)


def is_about_earlier_attempt(error: HengfuError) -> bool:
    """Tells whether the service has only said that the call arrived before.

    An attempt is still in progress, or an HTTP client or a proxy has sent the request again. The outcome of that attempt is
    unknown.
    """
    return error.code in ("idempotency_in_flight", "nonce_replayed")


_CODES_BEFORE_CHANGES = ("channel_unavailable", "archive_unreadable")
"""Codes with a status of 5xx that the service gives before it has changed anything."""


def leaves_outcome_unknown(error: HengfuError) -> bool:
    """Tells whether a reply leaves open if the call was carried out.

    The service failed, the reply is not its own, or it is about an earlier attempt.
    """
    has_failed = error.status >= 500 and error.code not in _CODES_BEFORE_CHANGES
    return has_failed or error.code == "unreadable_reply" or is_about_earlier_attempt(error)


def is_about_order(error: HengfuError) -> bool:
    """Tells whether the service refused the call after it had looked the order up: then no earlier attempt was carried out.

    All other refusals, such as 401, 403, 422 and 429, come before that, and say nothing about earlier attempts.
    """
    return error.status in (404, 409)


class ConnectionFailed(Exception):
    """The outcome of the call is unknown.

    No reply arrived, the service failed (5xx), the reply was not the service's own, or the call was still in progress after the
    last retry; or a retry after such an attempt was refused before the service looked the order up. Repeat the call under the
    same number, or look the order up: do not create another one. ``__cause__`` is the ``HengfuError`` of the last reply, if one
    arrived.
    """

    def __init__(self, cause: BaseException) -> None:
        super().__init__(f"the outcome is unknown ({cause})")


class CallbackVerificationError(Exception):
    """A request is not a genuine callback. Answer with status 401 and do nothing else.

    ``reason`` is ``missing_header``, ``timestamp_out_of_range``, ``no_matching_signature`` or ``malformed_body``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
