import type { FundFlowType } from '@hengfu/contract/fund-flow';

/** The ledger's transfer type for each type of the statement. */
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

/** Returns the statement's type for a ledger type. Throws for one that must not touch available funds. */
export function fundFlowType(ledgerType: string): FundFlowType {
  const type = byLedgerType.get(ledgerType);
  if (!type) throw new Error(`ledger type ${ledgerType} does not belong on the statement`);
  return type;
}

/** The account at one end of a range. */
export interface StatementPoint {
  version: bigint;
  /** When the last entry before it was made; undefined if there is none. */
  at: Date | undefined;
  balanceMinor: bigint;
  /** Total inflow up to this point. */
  inflowMinor: bigint;
}

/** Returns the sums between two points of the statement. */
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
