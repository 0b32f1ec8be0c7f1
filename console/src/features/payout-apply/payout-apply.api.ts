import { accountEndpoints } from '@hengfu/contract/account';
import type { ChannelCode } from '@hengfu/contract/channels';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import type { PayoutOrder } from './payout-order.ts';

/** The channels that accept payouts now. */
export const channelOptions = reading(payoutEndpoints.channels);
/** The funds available for payouts. */
export const fundsOptions = reading(accountEndpoints.get);

/** Earlier payees whose name or account begins with the search text. */
export function payeesOptions(channel: ChannelCode, search: string) {
  return queryOptions({
    queryKey: [payoutEndpoints.payees.path, channel, search],
    queryFn: async ({ signal }) =>
      (await call(payoutEndpoints.payees, { query: { channel, search }, signal })).data,
    meta: { inPlace: true },
  });
}

/** The last payouts that a channel has confirmed. */
export function arrivedOptions(channel: ChannelCode) {
  return queryOptions({
    queryKey: [payoutEndpoints.list.path, 'arrived', channel],
    queryFn: async ({ signal }) =>
      (await call(payoutEndpoints.list, { query: { channel, status: 'processed' }, signal })).data,
    meta: { inPlace: true },
  });
}

/** The bank and branch that an IFSC names; fails if it names none. */
export function branchOptions(ifsc: string) {
  return queryOptions({
    queryKey: [payoutEndpoints.ifsc.path, ifsc],
    queryFn: async () => (await call(payoutEndpoints.ifsc, { params: { ifsc } })).data,
    retry: false,
    meta: { inPlace: true },
  });
}

/** Checks whether the account of a payout is new, or differs from the payee's earlier one. */
export function payeeCheckOptions({ channel, payee, payeeAccount, bank, ifsc, accountType }: PayoutOrder) {
  return queryOptions({
    queryKey: [payoutEndpoints.checkPayee.path, channel, payee, payeeAccount, bank, ifsc, accountType],
    queryFn: async ({ signal }) => {
      const optional = { ...(bank && { bank }), ...(ifsc && { ifsc }), ...(accountType && { accountType }) };
      return (
        await call(payoutEndpoints.checkPayee, {
          query: { channel, payee, payeeAccount, ...optional },
          signal,
        })
      ).data;
    },
    meta: { inPlace: true },
    staleTime: 0,
  });
}
