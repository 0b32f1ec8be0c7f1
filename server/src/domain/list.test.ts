import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cursor, decodeCursor, encodeCursor } from './list.sql.ts';
import { Refusal } from './refusal.ts';

const latestMs = 999_999_999_999_999;
const cursor: fc.Arbitrary<Cursor> = fc.record({
  direction: fc.constantFrom('next', 'previous'),
  at: fc.nat(latestMs).map((milliseconds) => new Date(milliseconds)),
  id: fc.bigInt(0n, 10n ** 18n - 1n).map(String),
});

describe('a cursor', () => {
  it('is read as it was written, and fits into an address', () => {
    fc.assert(
      fc.property(cursor, (position) => {
        const text = encodeCursor(position);
        expect(text).toMatch(/^[\w-]{1,200}$/);
        expect(decodeCursor(text)).toEqual(position);
      }),
    );
  });

  it('that nobody wrote is refused as a field, and nothing else happens', () => {
    const likeOne = fc
      .tuple(fc.constantFrom('n', 'p', 'x', ''), fc.string({ unit: fc.constantFrom(...'0123456789,-.e ') }))
      .map((parts) => Buffer.from(parts.join(',')).toString('base64url'));
    const spoilt = fc
      .tuple(cursor.map(encodeCursor), fc.nat(40), fc.string({ maxLength: 2 }))
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1));
    const garbage = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), likeOne, spoilt);
    fc.assert(
      fc.property(garbage, (text) => {
        try {
          const { at, id } = decodeCursor(text);
          // Some other garbage is a position that may be: all of it must be one that the database knows.
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
