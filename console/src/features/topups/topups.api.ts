import { topupEndpoints } from '@hengfu/contract/topups';
import { reading } from '../../platform/reading.ts';

/** Key of every top-up's detail, for invalidation. */
export const topupDetailKey = [topupEndpoints.get.path] as const;

const staleAfterMs = 30_000;

/** Where USDT can be sent now; asked again while it is looked at, for rates move. */
export const optionsOptions = { ...reading(topupEndpoints.options), refetchInterval: staleAfterMs };

/** One top-up. */
export function topupOptions(tradeNo: string) {
  return reading(topupEndpoints.get, { params: { trade_no: tradeNo } });
}

/** The picture of a top-up: it never changes. */
export function screenshotOptions(tradeNo: string) {
  return { ...reading(topupEndpoints.screenshot, { params: { trade_no: tradeNo } }), staleTime: Infinity };
}
