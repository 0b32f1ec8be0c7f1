import { isUtf8 } from 'node:buffer';
import { requestLimits } from '@hengfu/contract/endpoint';
import { Refusal } from '#domain/refusal.ts';
import { inspectShape, type ShapeLimits, tooDeep, tooLong, tooManyValues } from '#domain/request-shape.ts';
import { Slices } from '#threads/slices.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers = { '{': 0x7b, '[': 0x5b } as const;
const closers = { '}': 0x7d, ']': 0x5d } as const;

/** Bytes scanned between two checks of the clock. */
const strideBytes = 32 * 1024;
/** Bytes of an array parsed at once, unless a single item is longer. */
const pieceBytes = 32 * 1024;
/** Bytes parsed at once (an item, or all text outside arrays), besides one string of maximum length. */
const itemBytes = 64 * 1024;
/** Blanks allowed before the first bracket; a body with more is parsed as a whole. */
const maxLeadingBlanks = 64;

/**
 * Parses a large JSON body without blocking the thread: arrays that are direct fields of the body (the rows
 * of a batch) are parsed in pieces, the rest at the end. Rejects too many values, and an item or a rest that
 * is too large to parse at once, before parsing them. `parse` throws its own error for invalid JSON; invalid
 * UTF-8 throws `bad_request`.
 */
export async function parseJsonInSlices(
  bytes: Buffer,
  limits: ShapeLimits,
  parse: (text: string) => unknown,
): Promise<unknown> {
  const cutter = new Cutter(bytes, limits, parse);
  const slices = new Slices();
  while (!cutter.isDone) {
    cutter.scan();
    if (slices.isOver) await slices.next();
  }
  const body = cutter.rest();
  inspectShape(body, limits);
  if (!cutter.isCutting || !isObject(body)) return body;
  for (const [name, value] of Object.entries(body)) {
    if (!Array.isArray(value)) continue;
    const items = cutter.array(value);
    for (const [index, item] of items.entries()) {
      if (slices.isOver) await slices.next();
      inspectShape(item, limits, `${name}.${index}`);
    }
    body[name] = items;
  }
  return body;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Scans the text once and cuts out the arrays. In the remaining text each array contains only its index
 * (`"rows":[0]`), so that the parser itself decides which field it belongs to.
 */
class Cutter {
  readonly #bytes: Buffer;
  readonly #limits: ShapeLimits;
  readonly #parse: (text: string) => unknown;
  readonly #arrays: unknown[][] = [];
  readonly #rest: string[] = [];
  #at = 0;
  #depth = 0;
  #values = 0;
  /** Values in the current item, and in the text outside the arrays. */
  #itemValues = 0;
  #restValues = 0;
  #itemFrom = 0;
  #restBytes = 0;
  #isInString = false;
  /** Where the rest continues after the last array that was cut out. */
  #restFrom = 0;
  /** Where the next piece of the current array begins; undefined outside an array. */
  #pieceFrom: number | undefined;

  constructor(bytes: Buffer, limits: ShapeLimits, parse: (text: string) => unknown) {
    this.#bytes = bytes;
    this.#limits = limits;
    this.#parse = parse;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Whether arrays are cut out: only if the body visibly begins as an object. */
  get isCutting(): boolean {
    return this.#bytes.toString('latin1', 0, maxLeadingBlanks).trimStart().startsWith('{');
  }

  /** Scans one stride. */
  scan(): void {
    const end = Math.min(this.#at + strideBytes, this.#bytes.length);
    for (; this.#at < end; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (this.#isInString) {
        if (byte === backslash) this.#at++;
        else if (byte === quote) this.#isInString = false;
      } else if (byte === quote) this.#isInString = true;
      else if (byte === comma) this.#atComma();
      else if (byte === openers['{'] || byte === openers['[']) this.#open(byte);
      else if (byte === closers['}'] || byte === closers[']']) this.#close(byte);
    }
    const bytes = this.#pieceFrom === undefined ? this.#restBytes - this.#restFrom : -this.#itemFrom;
    if (this.#at + bytes > itemBytes + 2 * this.#limits.textLength) throw tooLong();
  }

  /** Parses the text outside the arrays; throws if it is not JSON. */
  rest(): unknown {
    return this.#parse([...this.#rest, this.#text(this.#restFrom, this.#bytes.length)].join(''));
  }

  /** Returns the items of the array that a placeholder stands for. */
  array([number]: readonly unknown[]): unknown[] {
    return this.#arrays[Number(number)] ?? [];
  }

  #open(byte: number): void {
    this.#depth++;
    this.#count();
    if (this.#depth > requestLimits.depth) throw tooDeep();
    if (this.#depth !== 2 || byte !== openers['['] || this.#pieceFrom !== undefined || !this.isCutting)
      return;
    this.#rest.push(this.#text(this.#restFrom, this.#at + 1), String(this.#arrays.length));
    this.#restBytes += this.#at + 1 - this.#restFrom;
    this.#arrays.push([]);
    this.#pieceFrom = this.#at + 1;
    this.#itemFrom = this.#at + 1;
    this.#itemValues = 0;
  }

  #close(byte: number): void {
    if (this.#depth === 2 && byte === closers[']'] && this.#pieceFrom !== undefined) {
      this.#parsePiece(this.#pieceFrom, this.#arrays.at(-1)?.length === 0);
      this.#pieceFrom = undefined;
      this.#restFrom = this.#at;
    }
    this.#depth--;
  }

  #atComma(): void {
    this.#count();
    if (this.#depth !== 2 || this.#pieceFrom === undefined) return;
    this.#itemFrom = this.#at + 1;
    this.#itemValues = 0;
    if (this.#at - this.#pieceFrom < pieceBytes) return;
    this.#parsePiece(this.#pieceFrom, false);
    this.#pieceFrom = this.#at + 1;
  }

  #count(): void {
    if (++this.#values > this.#limits.values) throw tooManyValues(this.#limits.values);
    const parsedAtOnce = this.#pieceFrom === undefined ? ++this.#restValues : ++this.#itemValues;
    if (parsedAtOnce > requestLimits.values) throw tooManyValues(requestLimits.values);
  }

  /** Parses a piece of the current array. */
  #parsePiece(from: number, mayBeEmpty: boolean): void {
    const text = this.#text(from, this.#at);
    // A piece next to a comma can't be empty: `[1,]` is not JSON.
    if (!mayBeEmpty && text.trim() === '') throw new Refusal('bad_request');
    const array = this.#arrays.at(-1) ?? [];
    for (const item of this.#parse(`[${text}]`) as unknown[]) array.push(item);
  }

  /** Pieces are cut at ASCII bytes, so the whole is valid UTF-8 if every piece is. */
  #text(from: number, to: number): string {
    const bytes = this.#bytes.subarray(from, to);
    if (!isUtf8(bytes)) throw new Refusal('bad_request');
    return bytes.toString();
  }
}
