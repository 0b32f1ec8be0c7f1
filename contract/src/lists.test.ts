import { describe, expect, it } from 'vitest';
import { instant } from './lists.ts';

describe('an instant', () => {
  it.each(['2026-01-31T23:59:59Z', '2026-01-01T00:00:00.123456+14:00', '1999-12-31T00:00:00-12:00'])(
    'accepts %s',
    (text) => expect(instant.safeParse(text).success).toBe(true),
  );

  it.each([
    '2026-01-31',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00',
    // PostgreSQL cannot store these: year zero, too many digits, an offset out of range.
    '0000-01-01T00:00:00Z',
    `2026-01-01T00:00:00.${'9'.repeat(200)}Z`,
    '2026-01-01T00:00:00+23:59',
    '2026-01-01T00:00:00-16:00',
    // In UTC, their year does not have four digits.
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-12:00',
  ])('rejects %s', (text) => expect(instant.safeParse(text).success).toBe(false));
});
