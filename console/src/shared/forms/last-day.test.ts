import { describe, expect, it } from 'vitest';
import { endOf, lastDayOf } from './last-day.ts';

const shanghai = 'Asia/Shanghai';
const saoPaulo = 'America/Sao_Paulo';

describe('the end of a last day', () => {
  it('is the next midnight of the user’s zone, and the day is read back from it', () => {
    expect(endOf('2026-03-31', shanghai)).toBe('2026-03-31T16:00:00.000Z');
    expect(lastDayOf('2026-03-31T16:00:00.000Z', shanghai)).toBe('2026-03-31');
    expect([endOf('', shanghai), lastDayOf(null, shanghai)]).toEqual([null, '']);
  });

  it('stays as it was if the day was not changed, for somebody in another zone, too', () => {
    const before = '2026-03-31T16:00:00.000Z';
    expect(endOf(lastDayOf(before, saoPaulo), saoPaulo, before)).toBe(before);
    expect(endOf('2026-04-01', saoPaulo, before)).toBe('2026-04-02T03:00:00.000Z');
    expect(endOf('', saoPaulo, before)).toBeNull();
  });
});
