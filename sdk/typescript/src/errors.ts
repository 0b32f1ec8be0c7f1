/** The service refused a call. Depend on `code`, never on the message. */
export class HengfuError extends Error {
  override readonly name = 'HengfuError';
  /** The HTTP status. */
  readonly status: number;
  /** A stable code, as in `insufficient_funds`; `unreadable_reply` if the reply was not the service's own. */
  readonly code: string;
  /** Names the request to our support team. */
  readonly requestId: string | undefined;
  /** Data about the error, such as `left` of `refund_exceeds`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Messages by field, with `validation_failed`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Seconds to wait, if the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reply: {
    status: number;
    code: string;
    message: string;
    requestId?: string | undefined;
    details?: Record<string, unknown> | undefined;
    errors?: Record<string, string[]> | undefined;
    retryAfterSeconds?: number | undefined;
  }) {
    super(`${reply.code}: ${reply.message}`);
    this.status = reply.status;
    this.code = reply.code;
    this.requestId = reply.requestId;
    this.details = reply.details ?? {};
    this.errors = reply.errors ?? {};
    this.retryAfterSeconds = reply.retryAfterSeconds;
  }

  /** Whether you called too often. */
  get isRateLimit(): boolean {
    return this.status === 429;
  }

  /** Whether the same call, under the same number, may succeed later. */
  get isTemporary(): boolean {
    return this.status === 429 || this.status >= 500 || isAboutEarlierAttempt(this);
  }
}

/**
 * Tells whether the service has only said that the call arrived before: an attempt is still in progress, or an HTTP client or a
 * proxy has sent the request again. The outcome of that attempt is unknown.
 */
export function isAboutEarlierAttempt({ code }: HengfuError): boolean {
  return code === 'idempotency_in_flight' || code === 'nonce_replayed';
}

/**
 * No reply to the call arrived, or it was still in progress after the last retry, so the outcome is unknown. Repeat the call
 * under the same number, or look the order up: do not create another one.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(cause: unknown) {
    super(`no reply; the outcome is unknown (${cause instanceof Error ? cause.message : String(cause)})`, {
      cause,
    });
  }
}
