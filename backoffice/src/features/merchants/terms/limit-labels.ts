import type { LimitName } from '@hengfu/contract/staff/limits';
import type { PhraseKey } from '@hengfu/phrases/phrases';

/** The name of each limit. */
export const limitLabels: Readonly<Record<LimitName, PhraseKey>> = {
  payout: 'officeRequests.names.payoutLimit',
  payoutsOfDay: 'officeRequests.names.payoutDayLimit',
  withdrawalsOfDay: 'officeRequests.names.withdrawalDayLimit',
  collection: 'officeRequests.names.collectionLimit',
};
