import { openCollectionEndpoints } from '@hengfu/contract/collections.open';
import { loggedFields } from '@hengfu/contract/logged-fields';
import { openPayoutEndpoints } from '@hengfu/contract/payouts.open';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type BlockedCall, unpackCalls } from '#domain/call-blocks.ts';
import { cleanOfText, maskedBody } from '../masking.ts';
import { BlockMaking } from './block-making.ts';
import { BlockThread } from './block-thread.ts';
import { BufferPool } from './buffer-pool.ts';
import { createFields } from './create-fields.ts';
import { type CreatedCall, CreatedCalls } from './created-calls.ts';

const making = new BlockMaking(createFields);
const pool = new BufferPool();
const secret = `sk_${'0af9'.repeat(12)}`;
const paths = Object.keys(createFields);

function created(rawBody: string, sentBody: string, path = paths[0] ?? ''): CreatedCall {
  return {
    merchantId: 1n,
    keyId: 'ak_1',
    secret,
    path,
    address: '127.0.0.1',
    requestId: '01a22282-f065-7a6b-b407-e72af132c3f7',
    at: new Date(1_795_875_336_293),
    orderAt: new Date(1_795_875_336_000),
    elapsedMs: 5.4,
    rawBody: Buffer.from(rawBody),
    sentBody,
  };
}

/** Makes a block of calls, and returns them as they are stored. */
function stored(calls: readonly CreatedCall[]): BlockedCall[] {
  const [first] = calls;
  if (!first) return [];
  const waiting = new CreatedCalls(first, 0, pool);
  for (const call of calls) waiting.add(call);
  return unpackCalls(making.blockOf(waiting.raw()).content);
}

const textOf = ({ value }: BlockedCall['request']) =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Texts that callers may send. */
const anyText = fc.oneof(
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.string({ minLength: 250, maxLength: 300, unit: fc.constantFrom('a', '1', ' ', '@', '长') }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '{',
    '[x]',
    'subject',
    '"subject":"x"',
    'ann@shop.test 0084 912 345 678',
    'https://shop.test/hooks/Zm9v?token=abc',
    // Their hosts have quotes, commas and braces.
    'https://a%22b.com/x',
    'https://a%22%2cb.com/',
    'https://a%7b%7d.com',
    'http://[::1]:8080/x',
    secret,
    `x ${secret} y`,
    Buffer.from(`ak_1:${secret}`).toString('base64'),
    '6222020200112233445',
    'null',
    '•••',
    '🛒'.repeat(90),
    '\u0000\ud800',
  ),
);
const anyValue = fc.oneof(anyText, fc.constant(null), fc.integer(), fc.boolean(), fc.double());
const deepValue = fc.oneof(
  anyValue,
  fc.array(anyText, { maxLength: 3 }),
  fc.dictionary(anyText, anyText, { maxKeys: 3 }),
);
/** Bodies of the usual form most of the time. A long text that is shown is kept whole in a short body, though a row would cut it. */
const bodyOf = (path: string) => {
  const name = fc.constantFrom(...(createFields[path] ?? []));
  const usual = fc.dictionary(name, fc.oneof(anyText, fc.constant(null)), { maxKeys: 8 });
  const isAccepted = (body: object) =>
    Object.entries(body).every(
      ([field, value]) => loggedFields[field] !== 'shown' || String(JSON.stringify(value)).length <= 256,
    );
  return fc
    .oneof({ weight: 3, arbitrary: usual }, fc.dictionary(name, deepValue, { maxKeys: 8 }))
    .filter(isAccepted);
};
/** The ways in which programs write JSON. */
const writers: ((body: object) => string)[] = [
  (body) => JSON.stringify(body),
  (body) => `${JSON.stringify(body, undefined, 2)}\n`,
  // As PHP and Python write it by default.
  (body) =>
    JSON.stringify(body).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  (body) => JSON.stringify(body).replaceAll('":', '": ').replaceAll(',"', ', "'),
];

describe('a block of calls', () => {
  it('has the bodies that rows would have, however they were written', () => {
    const sample = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...writers)).chain(([path, writer]) =>
      fc.array(
        fc.record({
          path: fc.constant(path),
          writer: fc.constant(writer),
          body: bodyOf(path),
          reply: bodyOf(path),
        }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
    );
    fc.assert(
      fc.property(sample, (calls) => {
        const raw = calls.map(({ path, writer, body, reply }) =>
          created(writer(body), JSON.stringify(reply), path),
        );
        const blocked = stored(raw);
        expect(blocked).toHaveLength(calls.length);
        for (const [index, { request, response }] of blocked.entries()) {
          const { rawBody, sentBody } = raw[index] ?? created('{}', '{}');
          for (const [body, text] of [
            [request, rawBody.toString()],
            [response, sentBody],
          ] as const) {
            const expected = maskedBody(JSON.parse(text), cleanOfText(text, secret));
            // A row's text may end in the middle of a value; so does the text in a block.
            expect(textOf(body)).toBe(expected.text);
            expect(body.isCut).toBe(expected.isCut);
            expect(body.bytes).toBe(Buffer.byteLength(text));
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('has no secret of a field that was sent twice, or with spaces, or in escapes', () => {
    const hiddenValue = 'Rumpelstiltskin 6222020200112233445';
    const reply = '{"trade_no":"P261128132200000","status":"processing"}';
    for (const [path = '', names] of Object.entries(createFields))
      for (const name of names.filter(
        (field) => loggedFields[field] !== 'shown' && loggedFields[field] !== 'text',
      ))
        for (const body of [
          `{"${name}":"${hiddenValue}","${name}":"other"}`,
          `{"${name}":"other","${name}":"${hiddenValue}"}`,
          `{"${name}": "${hiddenValue}"}`,
          `{"${name}"  :  "${hiddenValue}"}`,
          `{"${name}"\n:"${hiddenValue}"}`,
          `{"out_trade_no":"${name}","${name}":"${hiddenValue}"}`,
          `{"out_trade_no":"x ${name}","${name}":"${hiddenValue}"}`,
          `{"${name}":["${hiddenValue}"]}`,
          `{"${name}":{"${name}":"${hiddenValue}"}}`,
          `{"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}":"${hiddenValue}"}`,
        ]) {
          const text = JSON.stringify(
            stored([created(body, reply, path), created('{"out_trade_no":"A"}', reply, path)]),
          );
          expect([body, text.includes('pelstilt'), text.includes('020200112')]).toEqual([body, false, false]);
        }
  });

  it('is masked as text if its calls are of the usual form, and only then', () => {
    const usual = JSON.stringify({
      out_trade_no: 'A',
      amount: '1.00',
      currency: 'CNY',
      subject: 'ann@shop.test',
    });
    const parse = JSON.parse;
    let parsed = 0;
    JSON.parse = ((text: string) => {
      parsed++;
      return parse(text);
    }) as typeof JSON.parse;
    try {
      const waiting = new CreatedCalls(created(usual, usual), 0, pool);
      for (let number = 0; number < 40; number++) waiting.add(created(usual, usual));
      making.blockOf(waiting.raw());
      expect(parsed).toBe(0);
    } finally {
      JSON.parse = parse;
    }
  });

  it('has no calls whose times are too far apart, or whose key has another secret, and is full at some point', () => {
    const call = created('{}', '{"trade_no":"C261128132200000000000"}');
    const later = (ms: number) => new Date(call.at.getTime() + ms);
    const waiting = new CreatedCalls(call, 0, pool);
    waiting.add(call);
    const fits = (other: CreatedCall) => [waiting.isBefore(other), waiting.isBehind(other)];
    expect(fits({ ...call, at: later(3000) })).toEqual([false, false]);
    expect(fits({ ...call, at: later(-3000) })).toEqual([false, false]);
    expect(fits({ ...call, at: later(3001) })).toEqual([true, false]);
    expect(fits({ ...call, at: later(-3001) })).toEqual([false, true]);
    expect(fits({ ...call, secret: 'another' })).toEqual([true, false]);
    waiting.add({ ...call, at: later(3000) });
    expect(fits({ ...call, at: later(-1) })).toEqual([false, true]);
    while (!waiting.isFull) waiting.add(call);
    expect(waiting.count).toBe(200);
    const large = new CreatedCalls(call, 0, pool);
    const body = Buffer.from(JSON.stringify({ subject: 'x'.repeat(8000) }));
    while (!large.isFull) large.add({ ...call, rawBody: body });
    expect(large.count).toBeLessThan(40);
  });
});

it('a block has memory of its own, here and from the thread', async () => {
  const thread = new BlockThread(createFields, (error) => {
    throw error;
  });
  const call = created('{}', '{"trade_no":"C261128132200000000000"}');
  for (const count of [1, 300]) {
    const waiting = new CreatedCalls(call, 0, pool);
    for (let number = 0; number < count; number++) waiting.add(call);
    const [block] = await thread.make([waiting.raw()]);
    expect(block?.content.buffer.byteLength).toBe(block?.content.length);
  }
  await thread.close();
});

it('calls in blocks and their replies have no field but those of their schemas', () => {
  for (const { body, reply } of [openCollectionEndpoints.create, openPayoutEndpoints.create]) {
    expect(z.toJSONSchema(reply, { io: 'output', unrepresentable: 'any' })).toMatchObject({
      additionalProperties: false,
    });
    expect(body.safeParse({ surprise: 'x' }).error?.issues.map(({ code }) => code)).toContain(
      'unrecognized_keys',
    );
  }
});
