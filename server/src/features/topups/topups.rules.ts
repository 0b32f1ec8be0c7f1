import { type ImageType, imageTypeOf, maxImageBytes } from '@hengfu/contract/images';
import type { Currency } from '@hengfu/contract/money';
import { parseRate, worthOf } from '@hengfu/contract/rates';
import type { Network } from '@hengfu/contract/wallets';

/** A wallet of the service, and its minimum top-up in minor units of USDT. */
export interface Wallet {
  network: Network;
  address: string;
  minimumUsdtMinor: bigint;
}

/** The current exchange rates and wallets for top-ups. */
export interface Options {
  /** Local currency per USDT; `usdRate` is US dollars per USDT. */
  rate: string;
  rateAt: Date;
  usdRate: string | null;
  wallets: Wallet[];
}

/** Converts USDT at the rates of a top-up, in minor units; `usdMinor` is null without a dollar rate. */
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

/** An uploaded picture. */
export interface Image {
  type: ImageType;
  bytes: Buffer;
  sha256: Buffer;
}

/**
 * Decodes a picture from Base64; undefined if it is invalid, too large, or neither PNG nor JPEG by its first
 * bytes.
 */
export function fileOf(base64: string): Pick<Image, 'type' | 'bytes'> | undefined {
  const bytes = Buffer.from(base64, 'base64');
  // The decoder silently skips invalid characters: only valid Base64 encodes back to the same text.
  if (bytes.length === 0 || bytes.length > maxImageBytes || bytes.toString('base64') !== base64)
    return undefined;
  const type = imageTypeOf(bytes);
  return type && { type, bytes };
}
