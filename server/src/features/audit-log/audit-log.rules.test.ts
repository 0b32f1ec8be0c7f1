import { describe, expect, it } from 'vitest';
import { changesOf, visibleOfStaff } from './audit-log.rules.ts';

const change = (before: object | null, after: object | null) =>
  changesOf(before as Record<string, unknown> | null, after as Record<string, unknown> | null, 'CNY');

describe('the changes of an entry', () => {
  it('are the fields that differ', () => {
    expect(change({ a: '1', b: 'same', gone: 'x' }, { a: '2', b: 'same', added: true })).toEqual([
      { field: 'a', before: '1', after: '2' },
      { field: 'gone', before: 'x', after: null },
      { field: 'added', before: null, after: 'true' },
    ]);
  });

  it('show amounts in their currency, and lists in one line', () => {
    expect(
      change(null, { amountMinor: '123456', arrivedUsdtMinor: '1500000', blocks: ['1.2.3.4/32', '::1/128'] }),
    ).toEqual([
      { field: 'amount', before: null, after: '1234.56 CNY' },
      { field: 'arrived', before: null, after: '1.500000 USDT' },
      { field: 'blocks', before: null, after: '1.2.3.4/32, ::1/128' },
    ]);
  });

  it('show rates in percent', () => {
    expect(change({ payoutRatePpm: 2000 }, { payoutRatePpm: 12_500 })).toEqual([
      { field: 'payoutRatePpm', before: '0.2%', after: '1.25%' },
    ]);
  });

  it.each(['secret', 'apiSecret', 'password', 'passwordHash', 'cashierToken'])('mask %s', (field) => {
    expect(change(null, { [field]: 'visible' })).toEqual([{ field, before: null, after: '••••••' }]);
  });

  it('show a secret that was replaced, masked on both sides', () => {
    expect(change({ secret: 'a' }, { secret: 'b' })).toEqual([
      { field: 'secret', before: '••••••', after: '••••••' },
    ]);
    expect(change({ secret: 'a' }, { secret: 'a' })).toEqual([]);
  });

  it('of long texts that differ at their ends are not lost', () => {
    const [found] = change({ url: `https://${'x'.repeat(600)}/a` }, { url: `https://${'x'.repeat(600)}/b` });
    expect(found?.field).toBe('url');
  });

  it('of long lists are what was removed and what was added', () => {
    const blocks = Array.from({ length: 60 }, (_, index) => `203.0.113.${index}/32`);
    expect(change({ blocks }, { blocks: [...blocks.slice(1), '198.51.100.66/32'] })).toEqual([
      { field: 'blocks', before: '203.0.113.0/32', after: '198.51.100.66/32' },
    ]);
  });

  it('have no value where a list was empty', () => {
    expect(change({ blocks: [] }, { blocks: ['1.2.3.4/32'] })).toEqual([
      { field: 'blocks', before: null, after: '1.2.3.4/32' },
    ]);
  });

  it('are none if nothing was recorded', () => {
    expect(change(null, null)).toEqual([]);
  });

  it('cut a long value', () => {
    expect(change(null, { note: 'x'.repeat(2000) })[0]?.after).toHaveLength(501);
  });
});

describe('of what our staff did', () => {
  it.each(['user.suspend', 'user.reactivate', 'merchant.suspend', 'merchant.reactivate'] as const)(
    'a merchant sees that it was done, not why: %s',
    (action) => {
      expect(visibleOfStaff(action, { isSuspended: true, reason: 'suspected by the bank' })).toEqual({
        isSuspended: true,
      });
    },
  );

  it.each(['access_key.revoke', 'user.unlock_code', 'payout.take_up'] as const)(
    'a merchant sees no values: %s',
    (action) => {
      expect(visibleOfStaff(action, { reason: 'internal', note: 'internal' })).toEqual({});
    },
  );

  it('a merchant sees the reasons that it reads elsewhere, too', () => {
    expect(visibleOfStaff('payout.reject', { reason: 'name' })).toEqual({ reason: 'name' });
    expect(visibleOfStaff('funds.funds_transfer_in', { amount: '1.00', note: 'internal' })).toEqual({
      amount: '1.00',
    });
    expect(visibleOfStaff('terms.set', null)).toBeNull();
  });
});
