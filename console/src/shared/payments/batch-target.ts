import type { CurrentUser } from '@hengfu/contract/session';
import { hasPerm } from '../../platform/session-store.ts';

/** The address of a payout batch: its progress page, or for read-only users the list of its payouts. */
export function batchTarget(user: CurrentUser, batchNo: string) {
  return hasPerm(user, 'payouts.create')
    ? ({ to: '/behalfPay/apply', search: { mode: 'batch', batch: batchNo } } as const)
    : ({ to: '/behalfPay/transfers', search: { batch_no: batchNo } } as const);
}
