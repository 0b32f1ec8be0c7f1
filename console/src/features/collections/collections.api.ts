import { collectionEndpoints } from '@hengfu/contract/collections';
import { reading } from '../../platform/reading.ts';

/** Key of every order's detail, for invalidation. */
export const collectionDetailKey = [collectionEndpoints.get.path] as const;

/** One order with its timeline and callbacks. */
export function collectionOptions(tradeNo: string) {
  return reading(collectionEndpoints.get, { params: { trade_no: tradeNo } });
}
