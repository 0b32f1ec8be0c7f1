import { accountEndpoints } from '@hengfu/contract/account';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { PixKeyType } from '@hengfu/contract/payout-fields';
import { payoutEndpoints } from '@hengfu/contract/payouts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';

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
export function payeeCheckOptions(query: {
  channel: ChannelCode;
  payee: string;
  payeeAccount: string;
  accountType?: PixKeyType | undefined;
}) {
  const { channel, payee, payeeAccount, accountType } = query;
  return queryOptions({
    queryKey: [payoutEndpoints.checkPayee.path, channel, payee, payeeAccount, accountType],
    queryFn: async ({ signal }) => {
      const given = { channel, payee, payeeAccount, ...(accountType && { accountType }) };
      return (
        await call(payoutEndpoints.checkPayee, {
          query: given as typeof query & { accountType?: 'CPF' },
          signal,
        })
      ).data;
    },
    meta: { inPlace: true },
    staleTime: 0,
  });
}
