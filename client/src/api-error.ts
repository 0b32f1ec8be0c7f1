import type { ErrorCode } from '@hengfu/contract/errors';

/** Failures without a readable error reply: no connection, no answer within 50 s, an unreadable reply. */
export type TransportCode = 'network' | 'timeout' | 'unreadable_reply';

/** The constructor arguments of an {@link ApiError}. */
export interface ApiErrorDetails {
  status: number;
  code: ErrorCode | TransportCode;
  message: string;
  fieldErrors?: Readonly<Record<string, readonly string[]>> | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/**
 * A failed call. `message` is the server's message in the user's language ('' if there is none); `status` is
 * 0 if no reply arrived.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | TransportCode;
  /** The server's messages by field, for `validation_failed`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /** Lets support find the call in the logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, if the server named them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ApiErrorDetails, options?: ErrorOptions) {
    super(details.message, options);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.fieldErrors = details.fieldErrors ?? {};
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** True if no reply arrived, so it is unknown whether the server acted. */
  get isOffline(): boolean {
    return this.code === 'network' || this.code === 'timeout';
  }
}
