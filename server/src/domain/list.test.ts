import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './list.sql.ts';
import type { Cursor } from './list-source.sql.ts';
import { Refusal } from './refusal.ts';

const latestMs = 999_999_999_999_999;
const cursor: fc.Arbitrary<Cursor> = fc.record({
  direction: fc.constantFrom('next', 'previous'),
  at: fc.nat(latestMs).map((milliseconds) => new Date(milliseconds)),
  id: fc.bigInt(0n, 10n ** 18n - 1n).map(String),
});

describe('a cursor', () => {
  it('decodes to what was encoded, and fits into a URL', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        const text = encodeCursor(position);
        expect(text).toMatch(/^[\w-]{1,200}$/);
        expect(decodeCursor(text)).toEqual(position);
      }),
    );
  });

  it('is rejected with a field error if it is malformed', () => {
    const lookalike = fc
      .tuple(fc.constantFrom('n', 'p', 'x', ''), fc.string({ unit: fc.constantFrom(...'0123456789,-.e ') }))
      .map((parts) => Buffer.from(parts.join(',')).toString('base64url'));
    const damaged = fc
      .tuple(cursor.map(encodeCursor), fc.nat(40), fc.string({ maxLength: 2 }))
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1));
    const garbage = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), lookalike, damaged);
    fc.assert(
      fc.property(garbage, (text) => {
        try {
          const { at, id } = decodeCursor(text);
          // Some garbage decodes to a position. It must be within the database's range.
          expect(at.getTime()).toBeLessThanOrEqual(latestMs);
          expect(BigInt(id)).toBeLessThan(10n ** 18n);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          expect([error.code, error.fields[0]?.field]).toEqual(['validation_failed', 'cursor']);
        }
      }),
      { numRuns: 300 },
    );
  });
});
