import { payoutEndpoints } from '@hengfu/contract/payouts';
import { reading } from '../../platform/reading.ts';

/** Key of every payout's detail, for invalidation. */
export const payoutDetailKey = [payoutEndpoints.get.path] as const;

/** One payout with its timeline. */
export function payoutOptions(tradeNo: string) {
  return reading(payoutEndpoints.get, { params: { trade_no: tradeNo } });
}
