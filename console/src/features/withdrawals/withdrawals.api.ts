import { accountEndpoints } from '@hengfu/contract/account';
import { withdrawalEndpoints } from '@hengfu/contract/withdrawals';
import { reading } from '../../platform/reading.ts';

/** Key of every withdrawal's detail, for invalidation. */
export const withdrawalDetailKey = [withdrawalEndpoints.get.path] as const;

/** One withdrawal. */
export function withdrawalOptions(tradeNo: string) {
  return reading(withdrawalEndpoints.get, { params: { trade_no: tradeNo } });
}

/** The current terms of a withdrawal. */
export const termsOptions = reading(withdrawalEndpoints.terms);
/** Addresses that were used before. */
export const addressesOptions = reading(withdrawalEndpoints.addresses);
/** The funds available for withdrawals. */
export const fundsOptions = reading(accountEndpoints.get);
