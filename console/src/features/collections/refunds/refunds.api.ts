import { refundEndpoints } from '@hengfu/contract/refunds';
import { reading } from '../../../platform/reading.ts';

/** Keys of every refund's detail, and of the refunds of every collection, for invalidation. */
export const refundDetailKey = [refundEndpoints.get.path] as const;
export const refundsOfOrderKey = [refundEndpoints.ofCollection.path] as const;

/** One refund. */
export function refundOptions(refundNo: string) {
  return reading(refundEndpoints.get, { params: { refund_no: refundNo } });
}

/** The refunds of a collection, and what is left of it. */
export function refundsOfOrderOptions(tradeNo: string) {
  return reading(refundEndpoints.ofCollection, { params: { trade_no: tradeNo } });
}
