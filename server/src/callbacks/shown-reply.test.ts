import { describe, expect, it } from 'vitest';
import { shownReply } from './shown-reply.ts';

describe('the reply of a merchant’s server', () => {
  it.each([
    ['{"ok":true,"order":"C1"}', '{"ok":true,"order":"C1"}'],
    ['first\r\nsecond\nthird', 'first\nsecond\nthird'],
    ['订单不存在', '订单不存在'],
  ])('is shown as it is: %j', (text, shown) => {
    expect(shownReply(text)).toBe(shown);
  });

  it.each([
    ['\u001b[31mred\u0007', '\\u001b[31mred\\u0007'],
    ['left\u202eright', 'left\\u202eright'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
  ])('shows control and invisible characters as codes: %j', (text, shown) => {
    expect(shownReply(text)).toBe(shown);
  });

  it.each([
    ['whsec_c2VjcmV0LXNlY3JldA==', 'c2VjcmV0'],
    ['key sk_0123456789abcdef', '0123456789abcdef'],
    ['Authorization: Bearer abc.def-ghi', 'abc.def-ghi'],
    ['{"password": "hunter2 and more"}', 'hunter2'],
    ['db_password=hunter2;', 'hunter2'],
    ["'API_KEY' => 'hunter2'", 'hunter2'],
    ['postgres://shop:hunter2@db.internal/shop', 'hunter2'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'c2lnbmF0dXJl'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAK\n-----END RSA PRIVATE KEY-----', 'MIIBOgIBAAJBAK'],
    ['-----BEGIN PRIVATE KEY-----\nMIIBOgIBAAJBAK', 'MIIBOgIBAAJBAK'],
    ['hash 0123456789abcdef0123456789abcdef', '0123456789abcdef'],
  ])('masks what looks like a secret: %s', (text, secret) => {
    const shown = shownReply(text);
    expect(shown).toContain('•••');
    expect(shown).not.toContain(secret);
  });

  it('is masked in a time that does not depend on how it was composed', () => {
    for (const part of ['a', '"', 'password', ':', 'x@', '://', 'eyJ', ' ', '-----BEGIN '])
      shownReply(part.repeat(Math.ceil(4096 / part.length)));
    const startedAtMs = performance.now();
    shownReply('secret'.repeat(700));
    expect(performance.now() - startedAtMs).toBeLessThan(2000);
  });
});
