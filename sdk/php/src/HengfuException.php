<?php

declare(strict_types=1);

namespace Hengfu;

/** The service refused a call. Depend on $errorCode, never on the message. */
final class HengfuException extends \RuntimeException
{
    /** Codes with a status of 5xx that the service gives before it has changed anything. */
    private const CODES_BEFORE_CHANGES = ['channel_unavailable', 'archive_unreadable'];

    /**
     * @param int $status the HTTP status
     * @param string $errorCode stable, as in insufficient_funds; unreadable_reply if the reply was not the service's own
     * @param string|null $requestId names the request to our support team
     * @param array<string, mixed> $details data about the error, such as left of refund_exceeds
     * @param array<string, list<string>> $errors messages by field, with validation_failed
     * @param int|null $retryAfterSeconds how long to wait, if the service said so
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly ?string $requestId = null,
        public readonly array $details = [],
        public readonly array $errors = [],
        public readonly ?int $retryAfterSeconds = null,
    ) {
        parent::__construct("$errorCode: $message", $status);
    }

    /** Whether you called too often. */
    public function isRateLimit(): bool
    {
        return $this->status === 429;
    }

    /** Whether the same call, under the same number, may succeed later. */
    public function isTemporary(): bool
    {
        return $this->status === 429 || $this->status >= 500 || $this->isAboutEarlierAttempt();
    }

    /**
     * Tells whether the service has only said that the call arrived before: an attempt is still in progress, or an HTTP client or a
     * proxy has sent the request again. The outcome of that attempt is unknown.
     *
     * @internal
     */
    public function isAboutEarlierAttempt(): bool
    {
        return in_array($this->errorCode, ['idempotency_in_flight', 'nonce_replayed'], true);
    }

    /**
     * Tells whether a reply leaves open if the call was carried out: the service failed, the reply is not its own, or it is
     * about an earlier attempt.
     *
     * @internal
     */
    public function leavesOutcomeUnknown(): bool
    {
        $hasFailed = $this->status >= 500 && !in_array($this->errorCode, self::CODES_BEFORE_CHANGES, true);

        return $hasFailed || $this->errorCode === 'unreadable_reply' || $this->isAboutEarlierAttempt();
    }

    /**
     * Tells whether the service refused the call after it had looked the order up: then no earlier attempt was carried out. All
     * other refusals, such as 401, 403, 422 and 429, come before that, and say nothing about earlier attempts.
     *
     * @internal
     */
    public function isAboutOrder(): bool
    {
        return in_array($this->status, [404, 409], true);
    }
}
