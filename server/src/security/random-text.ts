import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

/**
 * Returns cryptographically random bytes as a text. They come from a pool that is filled 4 KB at a time, because each request to the generator
 * takes several microseconds, however few bytes it is for. What was given out is erased from the pool.
 * @param length number of bytes, at most 1,024
 */
export function randomText(length: number, encoding: 'base64' | 'base64url' | 'hex'): string {
  if (length > pool.length / 4) throw new RangeError('too many random bytes at a time');
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const end = used + length;
  const text = pool.toString(encoding, used, end);
  pool.fill(0, used, end);
  used = end;
  return text;
}
