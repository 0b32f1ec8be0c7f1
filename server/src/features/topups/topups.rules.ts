import { type ImageType, imageTypeOf, maxImageBytes } from '@hengfu/contract/images';
import type { Currency } from '@hengfu/contract/money';
import { parseRate, worthOf } from '@hengfu/contract/rates';
import type { Network } from '@hengfu/contract/wallets';

/** A wallet of the service, and the least that it takes, in minor units of USDT. */
export interface Wallet {
  network: Network;
  address: string;
  minimumUsdtMinor: bigint;
}

/** What a top-up comes to now. */
export interface Options {
  /** Home currency, and US dollars, for one USDT. */
  rate: string;
  rateAt: Date;
  usdRate: string | null;
  wallets: Wallet[];
}

/** What an amount of USDT is worth by the rates of a top-up, in minor units; in dollars null without a rate. */
export function worth(
  usdtMinor: bigint,
  currency: Currency,
  { rate, usdRate }: Pick<Options, 'rate' | 'usdRate'>,
): { amountMinor: bigint; usdMinor: bigint | null } {
  const inDollars = usdRate === null ? undefined : parseRate(usdRate);
  return {
    amountMinor: worthOf(usdtMinor, parseRate(rate) ?? 0n, currency),
    usdMinor: inDollars === undefined ? null : worthOf(usdtMinor, inDollars, 'USD'),
  };
}

/** A picture that was handed in. */
export interface Image {
  type: ImageType;
  bytes: Buffer;
  sha256: Buffer;
}

/** Reads a picture's Base64; undefined where it is none, too large, or neither PNG nor JPEG by its first bytes. */
export function fileOf(base64: string): Pick<Image, 'type' | 'bytes'> | undefined {
  const bytes = Buffer.from(base64, 'base64');
  // What is not Base64 is passed over in silence by the decoder: only the exact text comes back the same.
  if (bytes.length === 0 || bytes.length > maxImageBytes || bytes.toString('base64') !== base64)
    return undefined;
  const type = imageTypeOf(bytes);
  return type && { type, bytes };
}
