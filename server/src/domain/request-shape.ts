import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { fieldRefusal, type PhraseValues } from '#domain/refusal.ts';

/** How much a request may hold. */
export interface ShapeLimits {
  values: number;
  textLength: number;
}

const common: ShapeLimits = { values: requestLimits.values, textLength: requestLimits.textLength };

/** The limits of an endpoint's body. */
export function shapeLimitsOf({ bodyLimitValues, textLimitLength }: EndpointShape): ShapeLimits {
  return {
    values: bodyLimitValues ?? common.values,
    textLength: textLimitLength ?? common.textLength,
  };
}

/**
 * Refuses what no schema should have to look at: too many fields or items, nesting, long texts, and texts that PostgreSQL
 * can't store (NUL, lone surrogates). Throws Refusal `validation_failed` naming the first place.
 */
export function inspectShape(input: unknown, limits: ShapeLimits = common, path = ''): void {
  new Inspection(limits).look(input, path, 0);
}

/** Too many fields or items in all. */
export function tooManyValues(most: number): Error {
  return fieldRefusal('body', 'validation.tooManyValues', { count: most });
}

/** More text than any field of ours takes. */
export function tooLong(field = 'body'): Error {
  return fieldRefusal(field, 'validation.tooLong');
}

/** Nested deeper than anything of ours. */
export function tooDeep(field = 'body'): Error {
  return fieldRefusal(field, 'validation.tooDeep', { count: requestLimits.depth });
}

class Inspection {
  readonly #limits: ShapeLimits;
  #values = 0;

  constructor(limits: ShapeLimits) {
    this.#limits = limits;
  }

  look(value: unknown, path: string, depth: number): void {
    if (typeof value === 'string') this.#lookAtText(value, path);
    if (typeof value !== 'object' || value === null) return;
    if (depth >= requestLimits.depth) throw tooDeep(path || 'body');
    const names = Object.keys(value);
    this.#values += names.length;
    if (this.#values > this.#limits.values) throw tooManyValues(this.#limits.values);
    if (!Array.isArray(value) && names.length > requestLimits.fields)
      throw refusal(path, 'validation.tooManyFields', { count: requestLimits.fields });
    for (const name of names) {
      this.#lookAtText(name, path);
      this.look((value as Record<string, unknown>)[name], path ? `${path}.${name}` : name, depth + 1);
    }
  }

  #lookAtText(text: string, path: string): void {
    if (text.length > this.#limits.textLength) throw tooLong(path || 'body');
    if (text.includes('\0') || !text.isWellFormed()) throw refusal(path, 'validation.unsafeText');
  }
}

function refusal(path: string, phrase: PhraseKey, values?: PhraseValues): Error {
  return fieldRefusal(path || 'body', phrase, values);
}
