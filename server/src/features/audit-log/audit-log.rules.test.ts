import { describe, expect, it } from 'vitest';
import { changesOf } from './audit-log.rules.ts';

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

  it.each(['secret', 'apiSecret', 'password', 'passwordHash', 'cashierToken'])('mask %s', (field) => {
    expect(change(null, { [field]: 'visible' })).toEqual([{ field, before: null, after: '••••••' }]);
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
