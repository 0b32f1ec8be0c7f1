import { maxReportedFaults } from '@hengfu/contract/endpoint';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { PhraseKey } from '@hengfu/phrases/phrases';

/** Values for the placeholders of a phrase. A value that names a phrase is translated, too. */
export type PhraseValues = Record<string, string | number>;

/** A failed field: its name and the phrase that says why. */
export interface FieldFault {
  field: string;
  phrase: PhraseKey;
  values?: PhraseValues;
}

/**
 * A refusal that the caller can act on. Carries a code of the contract and the values of its phrase. The
 * contract's table maps the code to an HTTP status.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly values: PhraseValues;
  /** The first failed fields. Their number is limited, so that a reply stays small whatever was sent. */
  readonly fields: readonly FieldFault[];
  /** Number of all failed fields. */
  readonly faultCount: number;
  /** Seconds after which to retry, for throttled calls. */
  readonly retryAfterSeconds: number | undefined;
  /** Number of attempts allowed, for throttled calls. */
  readonly limit: number | undefined;
  /** Details for the caller, sent unchanged. */
  readonly details: object | undefined;

  constructor(
    code: ErrorCode,
    options: {
      values?: PhraseValues;
      fields?: readonly FieldFault[];
      retryAfterSeconds?: number;
      limit?: number;
      details?: object;
    } = {},
  ) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.values = options.values ?? {};
    this.fields = options.fields?.slice(0, maxReportedFaults) ?? [];
    this.faultCount = options.fields?.length ?? 0;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.limit = options.limit;
    this.details = options.details;
  }
}

/** Creates the refusal of one field (422). */
export function fieldRefusal(field: string, phrase: PhraseKey, values?: PhraseValues): Refusal {
  return new Refusal('validation_failed', { fields: [{ field, phrase, ...(values && { values }) }] });
}
