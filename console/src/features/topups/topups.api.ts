import { topupEndpoints } from '@hengfu/contract/topups';
import { reading } from '../../platform/reading.ts';

/** Key of every top-up's detail, for invalidation. */
export const topupDetailKey = [topupEndpoints.get.path] as const;

const refetchMs = 30_000;

/** The wallets and rates for a new top-up; refetched while on screen, because rates change. */
export const newTopupOptions = { ...reading(topupEndpoints.options), refetchInterval: refetchMs };

/** One top-up. */
export function topupOptions(tradeNo: string) {
  return reading(topupEndpoints.get, { params: { trade_no: tradeNo } });
}

/** The screenshot of a top-up, which never changes. */
export function screenshotOptions(tradeNo: string) {
  return { ...reading(topupEndpoints.screenshot, { params: { trade_no: tradeNo } }), staleTime: Infinity };
}
