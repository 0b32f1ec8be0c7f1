import type { ErrorCode } from '@hengfu/contract/errors';

/** What can go wrong before a readable error reply is there: no connection, 50 s without answer, an unreadable reply. */
export type TransportCode = 'network' | 'timeout' | 'unreadable_reply';

/** What an {@link ApiError} is made from. */
export interface ApiErrorDetails {
  status: number;
  code: ErrorCode | TransportCode;
  message: string;
  fieldErrors?: Readonly<Record<string, readonly string[]>> | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/**
 * A call that did not succeed. `message` is the server's sentence in the reader's language ('' where the server did
 * not get to say anything); `status` is 0 where no reply came.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | TransportCode;
  /** The server's sentences by field, for `validation_failed`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /** What support needs to find the call in the logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before trying again, where the server said so. */
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

  /** True where no reply came: nobody knows whether the server acted. */
  get isOffline(): boolean {
    return this.code === 'network' || this.code === 'timeout';
  }
}
