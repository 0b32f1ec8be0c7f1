import { accountEndpoints } from '@hengfu/contract/account';
import type { ChannelCode } from '@hengfu/contract/channels';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import type { PayoutOrder } from './payout-order.ts';

/** The channels that may be paid out through now. */
export const channelOptions = reading(payoutEndpoints.channels);
/** What there is to pay out. */
export const fundsOptions = reading(accountEndpoints.get);

/** Payees whose name or account begins so. */
export function payeesOptions(channel: ChannelCode, search: string) {
  return queryOptions({
    queryKey: [payoutEndpoints.payees.path, channel, search],
    queryFn: async ({ signal }) =>
      (await call(payoutEndpoints.payees, { query: { channel, search }, signal })).data,
    meta: { inPlace: true },
  });
}

/** What is known of the account that a payout would go to. */
export function payeeCheckOptions({ channel, payee, payeeAccount, bank, ifsc, accountType }: PayoutOrder) {
  return queryOptions({
    queryKey: [payoutEndpoints.checkPayee.path, channel, payee, payeeAccount, bank, ifsc, accountType],
    queryFn: async ({ signal }) => {
      const place = { ...(bank && { bank }), ...(ifsc && { ifsc }), ...(accountType && { accountType }) };
      return (
        await call(payoutEndpoints.checkPayee, { query: { channel, payee, payeeAccount, ...place }, signal })
      ).data;
    },
    meta: { inPlace: true },
    staleTime: 0,
  });
}
