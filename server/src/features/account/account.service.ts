import type { AccountBreakdown, AccountFigures } from '@hengfu/contract/account';
import { exactTotalLimit } from '@hengfu/contract/lists';
import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { EntryArchive } from '#archive/entry-archive.ts';
import type { Database } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { type Balances, balances } from '#ledger/ledger.ts';
import { balancesBefore, type Part, readBreakdown } from './account.sql.ts';

/** Reads the current balances of the account. */
export async function readFigures(
  database: Database,
  { currency, merchantId }: Home,
): Promise<AccountFigures> {
  const found = await database.asMerchant(merchantId, (tx) => balances(tx, currency), {
    oneStatement: true,
  });
  return figuresOf(found, currency);
}

/**
 * Reads the balances of the account just before an instant. Throws `too_many_requests` if too many reads of the merchant's
 * archive are waiting.
 */
export async function readPastFigures(
  database: Database,
  archive: EntryArchive,
  { currency, merchantId }: Home,
  at: string,
): Promise<AccountFigures> {
  const found = await archive.withParts(merchantId, (readParts) =>
    database.asMerchant(merchantId, (tx) => balancesBefore(tx, currency, at, readParts), {
      oneStatement: true,
    }),
  );
  return figuresOf(found, currency);
}

function figuresOf({ available, locked, unsettled }: Balances, currency: Currency): AccountFigures {
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

/** Breaks locked and unsettled funds down by the orders that hold them. */
export async function explainBalances(
  database: Database,
  { currency, merchantId }: Home,
): Promise<AccountBreakdown> {
  const found = await database.asMerchant(merchantId, (tx) => readBreakdown(tx, currency), {
    oneStatement: true,
  });
  const { payouts, withdrawals, payments, refunds, batches } = found;
  const part = ({ count, amountMinor }: Part) => ({
    count: Math.min(count, exactTotalLimit),
    exact: isExact(count),
    amount: formatAmount(amountMinor, currency),
  });
  const agrees = (total: bigint, more: readonly Part[], less: readonly Part[] = []) =>
    [...more, ...less].every(({ count }) => isExact(count)) ? sumOf(more) - sumOf(less) === total : null;
  return {
    currency,
    locked: {
      total: formatAmount(found.locked, currency),
      payouts: part(payouts),
      withdrawals: part(withdrawals),
      agrees: agrees(found.locked, [payouts, withdrawals]),
    },
    unsettled: {
      total: formatAmount(found.unsettled, currency),
      payments: part(payments),
      refunds: part(refunds),
      batches: part(batches),
      agrees: agrees(found.unsettled, [payments, batches], [refunds]),
    },
    nextSettlement: {
      at: found.nextSettlementAt.toISOString(),
      // Taken from the ledger, so it is exact however many payments are waiting.
      amount: formatAmount(found.unsettled - batches.amountMinor, currency),
    },
  };
}

const isExact = (count: number) => count <= exactTotalLimit;
const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
