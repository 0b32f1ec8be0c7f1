import { type EndpointShape, requestLimits } from '@hengfu/contract/endpoint';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { fieldRefusal, type PhraseValues } from '#domain/refusal.ts';

/** Limits on the content of a request. */
export interface ShapeLimits {
  values: number;
  textLength: number;
}

const defaultLimits: ShapeLimits = { values: requestLimits.values, textLength: requestLimits.textLength };

/** Returns the limits of an endpoint's body: its own, or else the common ones. */
export function shapeLimitsOf({ bodyLimitValues, textLimitLength }: EndpointShape): ShapeLimits {
  return {
    values: bodyLimitValues ?? defaultLimits.values,
    textLength: textLimitLength ?? defaultLimits.textLength,
  };
}

/**
 * Rejects input that no schema should have to parse: too many fields or items, deep nesting, long strings,
 * and strings that PostgreSQL can't store (NUL, lone surrogates). Throws Refusal `validation_failed` naming
 * the first path at fault.
 */
export function inspectShape(input: unknown, limits: ShapeLimits = defaultLimits, path = ''): void {
  new Inspection(limits).visit(input, path, 0);
}

/** Error for too many fields and items in total. */
export function tooManyValues(max: number): Error {
  return fieldRefusal('body', 'validation.tooManyValues', { count: max });
}

/** Error for a string that is longer than any field accepts. */
export function tooLong(field = 'body'): Error {
  return fieldRefusal(field, 'validation.tooLong');
}

/** Error for input that is nested too deeply. */
export function tooDeep(field = 'body'): Error {
  return fieldRefusal(field, 'validation.tooDeep', { count: requestLimits.depth });
}

class Inspection {
  readonly #limits: ShapeLimits;
  #values = 0;

  constructor(limits: ShapeLimits) {
    this.#limits = limits;
  }

  visit(value: unknown, path: string, depth: number): void {
    if (typeof value === 'string') this.#checkText(value, path);
    if (typeof value !== 'object' || value === null) return;
    if (depth >= requestLimits.depth) throw tooDeep(path || 'body');
    const names = Object.keys(value);
    this.#values += names.length;
    if (this.#values > this.#limits.values) throw tooManyValues(this.#limits.values);
    if (!Array.isArray(value) && names.length > requestLimits.fields)
      throw refusal(path, 'validation.tooManyFields', { count: requestLimits.fields });
    for (const name of names) {
      this.#checkText(name, path);
      this.visit((value as Record<string, unknown>)[name], path ? `${path}.${name}` : name, depth + 1);
    }
  }

  #checkText(text: string, path: string): void {
    if (text.length > this.#limits.textLength) throw tooLong(path || 'body');
    if (text.includes('\0') || !text.isWellFormed()) throw refusal(path, 'validation.unsafeText');
  }
}

function refusal(path: string, phrase: PhraseKey, values?: PhraseValues): Error {
  return fieldRefusal(path || 'body', phrase, values);
}
