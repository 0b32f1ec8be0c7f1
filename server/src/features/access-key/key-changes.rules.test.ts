import type { KeySettings } from '@hengfu/contract/access-requests';
import { describe, expect, it } from 'vitest';
import { narrowedBy } from './key-changes.rules.ts';

const before: KeySettings = {
  callbackUrl: 'https://a.test/',
  isEnabled: true,
  scopes: ['collections', 'read'],
  addresses: ['203.0.113.0/24', '2001:db8::/32'],
  endsAt: '2027-01-01T00:00:00.000Z',
};
const narrowed = (change: Partial<KeySettings>, from: Partial<KeySettings> = {}) =>
  narrowedBy({ ...before, ...from }, { ...before, ...from, ...change });

describe('a change of a key', () => {
  it.each<[string, Partial<KeySettings>]>([
    ['no change', {}],
    ['no callback URL', { callbackUrl: null }],
    ['off', { isEnabled: false }],
    ['fewer scopes', { scopes: ['read'] }],
    ['a part of the addresses', { addresses: ['203.0.113.128/25'] }],
    ['one address', { addresses: ['2001:db8::1/128'] }],
    ['an earlier expiry', { endsAt: '2026-12-31T23:59:59.000Z' }],
  ])('takes effect at once: %s', (_, change) => expect(narrowed(change)).toEqual({ ...before, ...change }));

  it.each<[string, Partial<KeySettings>]>([
    ['another callback URL', { callbackUrl: 'https://b.test/' }],
    ['all addresses', { addresses: null }],
    ['a wider block', { addresses: ['203.0.112.0/23'] }],
    ['an address more', { addresses: ['203.0.113.0/24', '198.51.100.1/32'] }],
    ['the block of another family', { addresses: ['::/0'] }],
    ['a later expiry', { endsAt: '2027-01-01T00:00:00.001Z' }],
    ['no expiry', { endsAt: null }],
  ])('waits: %s', (_, change) => expect(narrowed(change)).toEqual(before));

  it('gives up scopes at once, and waits for those that are new', () => {
    expect(narrowed({ scopes: ['payouts', 'read'] }).scopes).toEqual(['read']);
    // A key has at least one.
    expect(narrowed({ scopes: ['payouts'] }).scopes).toEqual(['collections', 'read']);
  });

  it('waits for enabling, and for nothing that limits a key without limits', () => {
    expect(narrowed({ isEnabled: true }, { isEnabled: false }).isEnabled).toBe(false);
    const limits = { addresses: ['192.0.2.1/32'], endsAt: '2026-12-01T00:00:00.000Z' };
    expect(narrowed(limits, { addresses: null, endsAt: null })).toMatchObject(limits);
  });
});
