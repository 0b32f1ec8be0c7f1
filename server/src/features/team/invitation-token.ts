import { createHash, randomBytes } from 'node:crypto';

const radix = 36;
const separator = '~';
const secretBytes = 24;
const maxMerchant = 2n ** 63n;

/** Makes the token of a link: the merchant, and 192 random bits. */
export function freshToken(merchantId: bigint): string {
  return `${merchantId.toString(radix)}${separator}${randomBytes(secretBytes).toString('base64url')}`;
}

/** Hashes a token for storage, so that reading the table yields no usable link. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Reads the merchant of a token, which may be invented; undefined if it names none. */
export function merchantOf(token: string): bigint | undefined {
  const [merchant = ''] = token.split(separator, 1);
  if (!/^[\da-z]{1,13}$/.test(merchant)) return undefined;
  let id = 0n;
  for (const digit of merchant) id = id * BigInt(radix) + BigInt(Number.parseInt(digit, radix));
  return id < maxMerchant ? id : undefined;
}
