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


class ConnectionFailed(Exception):
    """No reply to the call arrived, or it was still in progress after the last retry, so the outcome is unknown.

    Repeat the call under the same number, or look the order up: do not create another one.
    """

    def __init__(self, cause: BaseException) -> None:
        super().__init__(f"no reply; the outcome is unknown ({cause})")


class CallbackVerificationError(Exception):
    """A request is not a genuine callback. Answer with status 401 and do nothing else.

    ``reason`` is ``missing_header``, ``timestamp_out_of_range``, ``no_matching_signature`` or ``malformed_body``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
