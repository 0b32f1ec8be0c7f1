import type { AccountFigures, accountEndpoints, openAccountEndpoints } from '@hengfu/contract/account';
import { formatAmount } from '@hengfu/contract/money';
import type { Home } from '#caller.ts';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { balances } from '#ledger/ledger.ts';

/** The four figures of the account. */
export function accountHandlers(database: Database): Handlers<typeof accountEndpoints> {
  return { get: async ({ caller }) => ({ data: await readFigures(database, caller.home) }) };
}

/** The same for a merchant's programs. */
export function openAccountHandlers(database: Database): Handlers<typeof openAccountEndpoints> {
  return { balance: async ({ caller }) => readFigures(database, caller.home) };
}

async function readFigures(database: Database, { currency, merchantId }: Home): Promise<AccountFigures> {
  const { available, locked, unsettled } = await database.asMerchant(
    merchantId,
    (tx) => balances(tx, currency),
    { oneStatement: true },
  );
  const text = (amountMinor: bigint) => formatAmount(amountMinor, currency);
  const balance = available + locked;
  return {
    currency,
    available: text(available),
    locked: text(locked),
    balance: text(balance),
    unsettled: text(unsettled),
    total: text(balance + unsettled),
  };
}
