import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { Currency } from '@hengfu/contract/money';
import type { Network } from '@hengfu/contract/wallets';
import type { WithdrawalStatus } from '@hengfu/contract/withdrawals';
import type { Generated, GeneratedAlways } from 'kysely';

export interface WithdrawalTables {
  withdrawal: WithdrawalTable;
  withdrawal_terms: WithdrawalTermsTable;
  exchange_rate: ExchangeRateTable;
}

interface WithdrawalTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  trade_no: string;
  request_hash: Buffer;
  status: Generated<WithdrawalStatus>;
  usdt_minor: bigint;
  fee_usdt_minor: bigint;
  currency: Currency;
  amount_minor: bigint;
  fee_minor: bigint;
  usd_minor: bigint | null;
  usdt_rate: string;
  usd_rate: string | null;
  network: Network;
  address: string;
  transaction_id: string | null;
  reject_reason: string | null;
  approval_state: ApprovalState | null;
  created_by: string;
  created_at: Generated<Date>;
  reviewed_at: Date | null;
  paid_at: Date | null;
}

interface WithdrawalTermsTable {
  merchant_id: bigint;
  valid_from: Generated<Date>;
  fee_usdt_minor: bigint;
  free_per_day: number;
  minimum_usdt_minor: bigint;
}

interface ExchangeRateTable {
  currency: Currency;
  valid_from: Generated<Date>;
  usdt_rate: string;
}
