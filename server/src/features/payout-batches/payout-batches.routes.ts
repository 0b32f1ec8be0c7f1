import { formatAmount } from '@hengfu/contract/money';
import type { BatchRow } from '@hengfu/contract/payout-batch-rows';
import type { BatchCheck, PayoutBatch, payoutBatchEndpoints } from '@hengfu/contract/payout-batches';
import type { Handlers } from '#http/bind.ts';
import type { BatchChecker, BatchFindings } from './payout-batches.check.ts';
import type { BatchProgress, BatchService } from './payout-batches.service.ts';

/** Handles the console's calls about payout batches. */
export function payoutBatchHandlers(
  service: BatchService,
  checker: BatchChecker,
): Handlers<typeof payoutBatchEndpoints> {
  return {
    check: async ({ caller: { home }, body }) => ({
      data: toCheck(await checker.check(home, body.channel, body.rows)),
    }),
    apply: async ({ caller, request, body }) => ({
      data: toBatch(await service.apply(caller, request, body)),
    }),
    list: async ({ caller: { home } }) => ({ data: (await service.list(home)).map(toBatch) }),
    get: async ({ caller: { home }, params }) => {
      const { payouts, ...batch } = await service.get(home, params.batch_no);
      return { data: { ...toBatch(batch), payouts } };
    },
    failed: async ({ caller: { home }, params }) => {
      const { channel, failed } = await service.failed(home, params.batch_no);
      const rows = failed.map(({ line, fields, reason }) => ({ line, reason, row: toRow(fields as object) }));
      return { data: { channel, rows } };
    },
  };
}

/** Returns a row's fields for display and editing, without the channel that all rows share. */
function toRow(fields: object): BatchRow {
  const { channel: _channel, ...row } = fields as { channel: string } & BatchRow;
  return row;
}

function toCheck({ home: { currency }, repeated, ...found }: BatchFindings): BatchCheck {
  const text = (amountMinor: bigint) => formatAmount(amountMinor, currency);
  return {
    currency,
    count: found.count,
    coveredCount: found.coveredCount,
    amount: text(found.amountMinor),
    fee: text(found.feeMinor),
    total: text(found.totalMinor),
    available: text(found.availableMinor),
    short: text(found.shortMinor),
    shortUsdt: found.shortUsdtMinor === undefined ? null : formatAmount(found.shortUsdtMinor, 'USDT'),
    faults: found.faults,
    faultCount: found.faultCount,
    similar: found.similar,
    newAccounts: found.newAccounts,
    changedAccounts: found.changedAccounts,
    repeated: repeated ? { batch_no: repeated.batchNo, createdAt: repeated.createdAt.toISOString() } : null,
  };
}

function toBatch(batch: Omit<BatchProgress, 'payouts'>): PayoutBatch {
  const { name, channel, currency, waiting, taken, failed } = batch;
  return {
    batch_no: batch.batchNo,
    name,
    channel,
    currency,
    count: batch.rowCount,
    waiting,
    taken,
    failed,
    amount: formatAmount(batch.amountMinor, currency),
    fee: formatAmount(batch.feeMinor, currency),
    createdAt: batch.createdAt.toISOString(),
    finishedAt: batch.finishedAt?.toISOString() ?? null,
    approvalState: batch.approvalState,
    createdBy: batch.createdByName,
  };
}
