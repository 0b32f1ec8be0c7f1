import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CallbackVerificationError, type SignedParts, sign, verifyCallback } from '../src/hengfu.ts';
import { encode } from '../src/signature.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8'));

interface Request extends SignedParts {
  name: string;
  secret: string;
  signature: string;
}

const { requests, encodings } = read('requests') as {
  requests: Request[];
  encodings: { text: string; encoded: string }[];
};

test.each(requests)('signs $name', ({ secret, signature, ...parts }) => {
  expect(sign(secret, parts)).toBe(signature);
});

test.each(encodings)('encodes $text', ({ text, encoded }) => {
  expect(encode(text)).toBe(encoded);
});

interface Callback {
  name: string;
  secrets: string[];
  headers: Record<string, string>;
  body: string;
  now: number;
  outcome: string;
}

const { callbacks, refusedSecrets } = read('callbacks') as {
  callbacks: Callback[];
  refusedSecrets: string[];
};

test.each(callbacks)('judges $name', ({ secrets, headers, body, now, outcome }) => {
  const verdict = () => verifyCallback(secrets, headers, Buffer.from(body), { now });
  if (outcome === 'ok') {
    expect(verdict()).toEqual({ id: headers['webhook-id'] ?? headers['Webhook-Id'], ...JSON.parse(body) });
    expect(verifyCallback(secrets, new Headers(headers), body, { now }).id).toBe(verdict().id);
  } else {
    expect(verdict).toThrow(CallbackVerificationError);
    expect(verdict).toThrow(expect.objectContaining({ reason: outcome }));
  }
});

test.each(refusedSecrets)('refuses the secret %j, also beside a good one and for any callback', (refused) => {
  const [{ secrets, headers, body, now }] = callbacks as [Callback];
  expect(() => verifyCallback([...secrets, refused], headers, body, { now })).toThrow(TypeError);
  expect(() => verifyCallback(refused, {}, '')).toThrow(TypeError);
});
