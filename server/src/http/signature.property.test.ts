import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type TestMerchant, TestProduct } from '../testing/test-product.ts';
import { type SignedParts, signatureOf } from './signature.ts';

const secret = 'sk_of_a_property';
const visible = (minLength: number, maxLength: number) =>
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength,
    maxLength,
  });

/** Any signed call, within what the server accepts as method, target, timestamp and nonce. */
const parts: fc.Arbitrary<SignedParts> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  pathWithQuery: visible(0, 30).map((text) => `/${text}`),
  timestamp: fc.nat(2_000_000_000).map(String),
  nonce: visible(8, 64),
  body: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
});

/** Moves the end of the path to the start of the timestamp: the same text, split elsewhere. */
function splitElsewhere(of: SignedParts, count: number): SignedParts {
  const { method, pathWithQuery, timestamp, nonce } = of;
  const moved = pathWithQuery.slice(-count);
  return {
    ...of,
    method,
    nonce,
    pathWithQuery: pathWithQuery.slice(0, -count),
    timestamp: moved + timestamp,
  };
}

const sameParts = (one: SignedParts, other: SignedParts) =>
  JSON.stringify({ ...one, body: one.body.toString('hex') }) ===
  JSON.stringify({ ...other, body: other.body.toString('hex') });

describe('the signature', () => {
  it('is different for different calls', () => {
    const pair = fc.oneof(
      fc.tuple(parts, parts),
      fc
        .tuple(parts, fc.integer({ min: 1, max: 5 }))
        .map(([of, count]) => [of, splitElsewhere(of, count)] as const),
      fc.tuple(parts, fc.nat(1000)).map(([of, at]) => [of, withOneByteChanged(of, at)] as const),
      fc.tuple(parts, parts, fc.nat(4)).map(([of, other, which]) => {
        const name = (['method', 'pathWithQuery', 'timestamp', 'nonce', 'body'] as const)[which] ?? 'body';
        return [of, { ...of, [name]: other[name] }] as const;
      }),
    );
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const isSame = signatureOf(secret, one) === signatureOf(secret, other);
        expect(isSame).toBe(sameParts(one, other));
      }),
      { numRuns: 1000 },
    );
  });

  it('is different under another secret', () => {
    fc.assert(
      fc.property(parts, visible(1, 40), (of, other) => {
        fc.pre(other !== secret);
        expect(signatureOf(other, of)).not.toBe(signatureOf(secret, of));
      }),
    );
  });
});

function withOneByteChanged(of: SignedParts, at: number): SignedParts {
  if (of.body.length === 0) return { ...of, body: Buffer.from([at % 256]) };
  const body = Buffer.from(of.body);
  body.writeUInt8((body.readUInt8(at % body.length) + 1) % 256, at % body.length);
  return { ...of, body };
}

describe('a signed call', () => {
  let product: TestProduct;
  let merchant: TestMerchant;
  beforeAll(async () => {
    product = await TestProduct.start(inject('ownerUrl'));
    merchant = await product.merchant('prover');
  });
  afterAll(() => product.close());

  const call = fc.record({
    query: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      {
        maxKeys: 3,
      },
    ),
    body: fc.json().map((text) => Buffer.from(text)),
    at: fc.nat(1000),
    changed: fc.constantFrom('body', 'pathWithQuery', 'nonce', 'timestamp'),
  });

  /** Sends a signed call, perhaps changed in transit; returns the error code, if any. */
  async function send(signed: SignedParts, changed: Partial<SignedParts> = {}): Promise<string | undefined> {
    const sent = { ...signed, ...changed };
    const response = await fetch(product.url + sent.pathWithQuery, {
      method: sent.method,
      headers: {
        'x-key': merchant.program.key.id,
        'x-timestamp': sent.timestamp,
        'x-nonce': sent.nonce,
        'x-signature': signatureOf(merchant.program.key.secret, signed),
        'content-type': 'application/json',
      },
      body: new Uint8Array(sent.body),
    });
    return ((await response.json()) as { code?: string }).code;
  }

  it('passes as signed, and not with one byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(call, async ({ query, body, at, changed }) => {
        const signed: SignedParts = {
          method: 'POST',
          pathWithQuery: `/openapi/v1/collections?${new URLSearchParams(query)}`,
          timestamp: String(Math.floor(Date.now() / 1000)),
          nonce: randomUUID(),
          body,
        };
        const changes: Record<typeof changed, Partial<SignedParts>> = {
          body: { body: withOneByteChanged(signed, at).body },
          pathWithQuery: { pathWithQuery: `${signed.pathWithQuery}&` },
          nonce: { nonce: `${signed.nonce}0` },
          timestamp: { timestamp: String(Number(signed.timestamp) - 1) },
        };
        // A body that is no longer JSON is rejected before the signature is checked.
        expect(['signature_invalid', 'bad_request']).toContain(await send(signed, changes[changed]));
        // The rejection has not consumed the nonce.
        expect(await send(signed)).not.toMatch(/^(signature|nonce)_/);
        expect(await send(signed)).toMatch(/^(nonce_replayed|bad_request)$/);
      }),
      { numRuns: 60 },
    );
  });
});
