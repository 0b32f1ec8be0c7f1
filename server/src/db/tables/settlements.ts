import type { Currency } from '@hengfu/contract/money';
import type { BatchStatus } from '@hengfu/contract/settlements';
import type { Generated, GeneratedAlways } from 'kysely';

export interface SettlementTables {
  settlement: SettlementTable;
}

interface SettlementTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  settlement_no: string;
  status: Generated<BatchStatus>;
  currency: Currency;
  order_count: number;
  refund_count: number;
  amount_minor: bigint;
  fee_minor: bigint;
  refunded_minor: bigint;
  net_minor: GeneratedAlways<bigint>;
  cut_off_at: Date;
  created_at: Generated<Date>;
  settled_at: Date | null;
}
