import type { CurrentUser } from '@hengfu/contract/session';
import { hasPerm } from '../platform/session-store.ts';

/** Where a batch of payouts is shown: among those that were applied for; to who may only read, by its payouts. */
export function batchTarget(user: CurrentUser, batchNo: string) {
  return hasPerm(user, 'payouts.create')
    ? ({ to: '/behalfPay/apply', search: { mode: 'batch', batch: batchNo } } as const)
    : ({ to: '/behalfPay/transfers', search: { batch_no: batchNo } } as const);
}
