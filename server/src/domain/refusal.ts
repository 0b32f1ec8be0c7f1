import { maxReportedFaults } from '@hengfu/contract/endpoint';
import type { ErrorCode } from '@hengfu/contract/errors';
import type { PhraseKey } from '@hengfu/phrases/phrases';

/** What a sentence is filled with; a value that names a phrase is translated too. */
export type PhraseValues = Record<string, string | number>;

/** A failed field: its name and the phrase that says why. */
export interface FieldFault {
  field: string;
  phrase: PhraseKey;
  values?: PhraseValues;
}

/**
 * The product says no, for a reason that the caller can act on. Carries a code of the contract and what its
 * sentence needs; which HTTP status it becomes is decided by the one table in the contract.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly values: PhraseValues;
  /** The first failed fields; a reply names no more, whatever somebody sends. */
  readonly fields: readonly FieldFault[];
  /** How many failed in all. */
  readonly faultCount: number;
  /** Seconds until another try makes sense, for throttled calls. */
  readonly retryAfterSeconds: number | undefined;
  /** How many tries are heard, for throttled calls. */
  readonly limit: number | undefined;
  /** What the caller may want to see of it; goes out as it is. */
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

/** A 422 for one field. */
export function fieldRefusal(field: string, phrase: PhraseKey, values?: PhraseValues): Refusal {
  return new Refusal('validation_failed', { fields: [{ field, phrase, ...(values && { values }) }] });
}
