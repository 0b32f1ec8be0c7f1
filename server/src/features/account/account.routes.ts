import type { accountEndpoints } from '@hengfu/contract/account';
import { formatAmount } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { balances } from '#ledger/ledger.ts';

/** The four figures of the account. */
export function accountHandlers(database: Database): Handlers<typeof accountEndpoints> {
  return {
    get: async ({ caller: { home } }) => {
      const { currency, merchantId } = home;
      const read = await database.asMerchant(merchantId, (tx) => balances(tx, currency), {
        oneStatement: true,
      });
      const { available, locked, unsettled } = read;
      const text = (amountMinor: bigint) => formatAmount(amountMinor, currency);
      const balance = available + locked;
      return {
        data: {
          currency,
          available: text(available),
          locked: text(locked),
          balance: text(balance),
          unsettled: text(unsettled),
          total: text(balance + unsettled),
        },
      };
    },
  };
}
