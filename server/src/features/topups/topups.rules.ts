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
