import { describe, expect, it } from 'vitest';
import { requestHash } from './request-hash.ts';

describe('the hash of a request', () => {
  const order = { out_trade_no: 'A', amount: '1.00', currency: 'CNY' } as const;
  it('does not depend on the order of fields', () => {
    expect(requestHash({ currency: 'CNY', amount: '1.00', out_trade_no: 'A' })).toEqual(requestHash(order));
  });
  it('treats an undefined field like an absent one', () => {
    expect(requestHash({ ...order, remark: undefined })).toEqual(requestHash(order));
  });
  it('differs for another amount', () => {
    expect(requestHash({ ...order, amount: '1.01' })).not.toEqual(requestHash(order));
  });
});
