import { loggedBodyBytes, loggedFields } from '@hengfu/contract/logged-fields';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanOf, cleanOfText, maskedBody, maskedQuery } from './masking.ts';

const masked = (body: unknown) => JSON.parse(maskedBody(body).text);

describe('a logged body', () => {
  it('shows what identifies an order, and hides whom it is for', () => {
    const body = {
      out_trade_no: 'A-1',
      amount: '12.00',
      payee: '王芳',
      payeeAccount: '6222020200112233445',
      taxId: '12345678909',
      remark: 'rent of Mr. Nguyen',
      notifyUrl: 'https://shop.test/hooks/Zm9vYmFy?token=abc',
      cashierUrl: 'https://pay.test/pay/0001AbCdEf',
      subject: 'Order of ann@shop.test, call 0084 912 345 678',
      password: 'hunter2',
    };
    expect(masked(body)).toEqual({
      out_trade_no: 'A-1',
      amount: '12.00',
      payee: '王•••',
      payeeAccount: '•••3445',
      taxId: '•••8909',
      remark: '•••',
      notifyUrl: 'https://shop.test/•••',
      cashierUrl: 'https://pay.test/•••',
      subject: 'Order of •••, call •••5678',
      password: '•••',
    });
    expect(maskedBody(body)).toMatchObject({ isMasked: true, isCut: false });
    expect(maskedBody({ out_trade_no: 'A-1', amount: '1.00' }).isMasked).toBe(false);
  });

  it('never gives away most of a short value', () => {
    for (const [account, shown] of [
      ['1', '•••'],
      ['123', '•••3'],
      ['123456', '•••56'],
    ])
      expect(masked({ payeeAccount: account })).toEqual({ payeeAccount: shown });
    expect(masked({ payeeAccount: 123456789012 })).toEqual({ payeeAccount: '•••9012' });
  });

  it('shows our sentences about fields, whatever the caller has named the fields', () => {
    const reply = {
      message: 'Wrong.',
      code: 'validation_failed',
      errors: { payee: ['Required.'], own: ['Unknown.'] },
    };
    expect(masked(reply)).toEqual(reply);
  });

  it('stays small, however large, deep or strange the body is', () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 5000; depth++) deep = [deep];
    for (const body of [
      deep,
      { subject: 'x'.repeat(16_000) },
      { ['n'.repeat(16_000)]: 1 },
      Object.fromEntries(Array.from({ length: 5000 }, (_, number) => [`f${number}`, '长'.repeat(100)])),
      Array.from({ length: 200 }, () => ({ subject: '长'.repeat(200) })),
    ]) {
      const { text, isMasked } = maskedBody(body);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(loggedBodyBytes);
      expect(text).not.toContain('\uFFFD');
      expect(isMasked).toBe(true);
    }
  });
});

describe('what is cut', () => {
  it('leaves no half of a character, wherever the cut is', () => {
    for (let before = 0; before <= 300; before++) {
      const text = 'x'.repeat(before) + '🛒'.repeat(200);
      const query = maskedQuery(
        `/openapi/v1/x?subject=${encodeURIComponent(text)}&${encodeURIComponent(text)}`,
      );
      expect(query?.text).toMatch(/…$/);
      expect(() => decodeURIComponent(query?.text ?? '%')).not.toThrow();
      const body = maskedBody({
        subject: text,
        [text]: '1',
        payeeAccount: text.slice(0, before + 1),
        bank: text,
      });
      for (const value of JSON.stringify(JSON.parse(body.text))) expect(value.isWellFormed()).toBe(true);
      expect(body.text).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  it('leaves no part of a secret, wherever the cut is', () => {
    const key = `sk_${'0123456789abcdef'.repeat(3)}`;
    const hook = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    for (const clean of [cleanOf(key), cleanOf(undefined)])
      for (let before = 0; before <= 260; before++)
        for (const value of [key, hook]) {
          const text = 'x'.repeat(before) + value;
          const { text: body } = maskedBody(
            { subject: text, bank: text, [text]: 1, errors: { [text]: [text] } },
            clean,
          );
          const query = maskedQuery(`/x?subject=${text}&${text}&${text.replace('_', '%5F')}=1`, clean)?.text;
          for (const kept of [body, query]) expect(kept).not.toContain(value.slice(0, 7));
        }
  });

  it('hides secrets in Base64, also within a longer text', () => {
    for (const value of [`sk_${'0af9'.repeat(12)}`, `whsec_${'ab+/'.repeat(10)}=`])
      for (const before of ['', 'a', 'ab', 'ak_1:', 'x'.repeat(250)])
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = Buffer.from(`${before}${value}:z`).toString(encoding);
          const json = JSON.stringify({ subject: `Basic ${text}`, bank: text, [text]: 1 });
          const { text: body } = maskedBody(JSON.parse(json), cleanOfText(json, undefined));
          const query = maskedQuery(`/x?subject=${encodeURIComponent(text)}&${text}=1`)?.text;
          const parts = Array.from({ length: 20 }, (_, at) => text.slice(text.length - 30 - at).slice(0, 12));
          for (const kept of [body, query])
            for (const part of parts) expect([kept, kept?.includes(part)]).toEqual([kept, false]);
        }
  });

  it('keeps numbers of orders that look like Base64', () => {
    for (const order of ['c2tf-2026', 'ORDER-za1-0001', 'NrX0001', '0123456789abcdef0123456789abcdef']) {
      const json = JSON.stringify({ out_trade_no: order });
      expect(maskedBody({ out_trade_no: order }, cleanOfText(json, undefined)).text).toBe(json);
    }
  });
});

const secret = fc.string({
  minLength: 12,
  maxLength: 40,
  unit: fc.constantFrom(...'abcdefGHIJKL0123456789'),
});
const maskedNames = Object.entries(loggedFields)
  .filter(([, mask]) => mask !== 'shown' && mask !== 'text')
  .map(([name]) => name);
const unknownName = fc
  .string({ maxLength: 20 })
  .filter((name) => !Object.hasOwn(loggedFields, name) && name !== 'errors');

it('no secret in a masked or unknown field is in the log, at any depth', () => {
  fc.assert(
    fc.property(
      secret,
      fc.oneof(fc.constantFrom(...maskedNames), unknownName),
      fc.array(fc.oneof(fc.constantFrom('subject', 'amount', 'errors', 'details'), unknownName), {
        maxLength: 6,
      }),
      fc.constantFrom('plain', 'list', 'address'),
      (value, name, around, shape) => {
        const sent =
          shape === 'list'
            ? [value, [value]]
            : shape === 'address'
              ? `https://a.test/${value}?k=${value}`
              : value;
        let body: unknown = { out_trade_no: 'A', [name]: sent };
        for (const outer of around) if (outer !== 'errors') body = { [outer]: body };
        expect(maskedBody(body).text).not.toContain(value);
        const query = maskedQuery(`/openapi/v1/x?${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
        if (!name.includes(value)) expect(query?.text).not.toContain(value);
      },
    ),
    { numRuns: 500 },
  );
});
