import type { FundFlowType } from '@hengfu/contract/fund-flow';

/** What the ledger calls each type of the statement. */
export const ledgerTypes = {
  collectionSettlement: 'collection_settlement',
  payoutDeduction: 'payout_deduction',
  payoutRefund: 'payout_refund',
  recharge: 'topup',
  withdrawal: 'withdrawal',
  withdrawalRejected: 'withdrawal_refund',
  transferIn: 'funds_transfer_in',
  transferOut: 'funds_transfer_out',
} as const satisfies Record<FundFlowType, string>;

const byLedgerType = new Map<string, FundFlowType>(
  Object.entries(ledgerTypes).map(([type, name]) => [name, type as FundFlowType]),
);

/** The statement's type of an entry. Throws for a transfer that must not touch available funds. */
export function fundFlowType(ledgerType: string): FundFlowType {
  const type = byLedgerType.get(ledgerType);
  if (!type) throw new Error(`${ledgerType} is no type of the statement`);
  return type;
}

/** The account at an end of a range. */
export interface StatementPoint {
  version: bigint;
  balanceMinor: bigint;
  /** All that ever came in up to it. */
  inflowMinor: bigint;
}

/** What lies between two points of the statement. */
export function sumsBetween(from: StatementPoint, to: StatementPoint) {
  const inMinor = to.inflowMinor - from.inflowMinor;
  return {
    openingMinor: from.balanceMinor,
    closingMinor: to.balanceMinor,
    inMinor,
    outMinor: inMinor - (to.balanceMinor - from.balanceMinor),
    count: Number(to.version - from.version),
  };
}
