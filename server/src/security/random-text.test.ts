import { expect, it } from 'vitest';
import { randomText } from './random-text.ts';

it('gives each byte out once, also where the pool is filled anew', () => {
  // Of 16 bytes, two equal texts or a run of eight zeros would not occur within the age of the universe.
  const texts = Array.from({ length: 2000 }, () => randomText(16, 'hex'));
  expect(new Set(texts).size).toBe(texts.length);
  for (const text of texts) expect(text).toMatch(/^(?!.*0{16})[\da-f]{32}$/);
});

it('has the length and the alphabet that were asked for', () => {
  for (let length = 1; length <= 1024; length += 31) {
    expect(Buffer.from(randomText(length, 'base64'), 'base64')).toHaveLength(length);
    expect(Buffer.from(randomText(length, 'base64url'), 'base64url')).toHaveLength(length);
    expect(randomText(length, 'hex')).toHaveLength(2 * length);
  }
  expect(() => randomText(1025, 'hex')).toThrow(RangeError);
});

it('uses every bit', () => {
  const seen = Buffer.alloc(32);
  for (let round = 0; round < 200; round++)
    for (const [index, byte] of Buffer.from(randomText(32, 'base64'), 'base64').entries())
      seen[index] = (seen[index] ?? 0) | byte;
  expect(seen.equals(Buffer.alloc(32, 0xff))).toBe(true);
});
