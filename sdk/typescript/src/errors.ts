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
function isAboutEarlierAttempt({ code }: HengfuError): boolean {
  return code === 'idempotency_in_flight' || code === 'nonce_replayed';
}

/** Codes with a status of 5xx that the service gives before it has changed anything. */
const codesBeforeChanges = ['channel_unavailable', 'archive_unreadable'];

/** Tells whether a reply leaves open if the call was carried out: the service failed, the reply is not its own, or it is about an earlier attempt. */
export function leavesOutcomeUnknown(error: HengfuError): boolean {
  const { status, code } = error;
  const hasFailed = status >= 500 && !codesBeforeChanges.includes(code);
  return hasFailed || code === 'unreadable_reply' || isAboutEarlierAttempt(error);
}

/**
 * Tells whether the service refused the call after it had looked the order up: then no earlier attempt was carried out. All other refusals,
 * such as 401, 403, 422 and 429, come before that, and say nothing about earlier attempts.
 */
export function isAboutOrder({ status }: HengfuError): boolean {
  return status === 404 || status === 409;
}

/**
 * The outcome of the call is unknown: no reply arrived, the service failed (5xx), the reply was not the service's own, or the call was
 * still in progress after the last retry; or a retry after such an attempt was refused before the service looked the order up. Repeat the
 * call under the same number, or look the order up: do not create another one. `cause` is the `HengfuError` of the last reply, if one arrived.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(cause: unknown) {
    super(`the outcome is unknown (${cause instanceof Error ? cause.message : String(cause)})`, {
      cause,
    });
  }
}
