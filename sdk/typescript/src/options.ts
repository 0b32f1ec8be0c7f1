/** Where to call, and as whom. */
export interface Options {
  /** Scheme and host, as in `https://pay.example`. Plain `http:` is accepted for this machine only. */
  readonly base: string;
  /** The ID of the access key. */
  readonly key: string;
  /** The secret of the access key. */
  readonly secret: string;
  /** Language of error messages; English by default. */
  readonly language?: 'en' | 'zh-CN' | 'vi';
  /** Milliseconds that each attempt may take; 60,000 by default. */
  readonly timeoutMs?: number;
  /** Attempts after the first one; 4 by default, 0 turns them off. */
  readonly maxRetries?: number;
  /** Milliseconds before the first retry, doubled for each further one; 1,000 by default. */
  readonly retryDelayMs?: number;
}

/** Options of one call. */
export interface RequestOptions {
  /** Sent as `Idempotency-Key`, the same on every attempt: 1–64 visible ASCII characters. */
  readonly idempotencyKey?: string;
  /** Aborts the call, and waits between attempts. */
  readonly signal?: AbortSignal;
}
