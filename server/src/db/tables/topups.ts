import type { ImageType } from '@hengfu/contract/images';
import type { Currency } from '@hengfu/contract/money';
import type { TopupCoin, TopupStatus } from '@hengfu/contract/topups';
import type { Network } from '@hengfu/contract/wallets';
import type { Generated, GeneratedAlways } from 'kysely';

export interface TopupTables {
  chain_transaction: ChainTransactionTable;
  topup: TopupTable;
  topup_image: TopupImageTable;
  deposit_wallet: DepositWalletTable;
}

interface TopupTable {
  id: GeneratedAlways<bigint>;
  merchant_id: bigint;
  trade_no: string;
  status: Generated<TopupStatus>;
  coin: Generated<TopupCoin>;
  usdt_minor: bigint;
  arrived_usdt_minor: bigint | null;
  currency: Currency;
  amount_minor: bigint;
  usd_minor: bigint | null;
  usdt_rate: string;
  usd_rate: string | null;
  network: Network;
  address: string;
  transaction_id: string;
  reject_reason: string | null;
  created_by: string;
  created_at: Generated<Date>;
  reviewed_at: Date | null;
  paid_at: Date | null;
}

interface TopupImageTable {
  merchant_id: bigint;
  topup_id: bigint;
  type: ImageType;
  bytes: Buffer;
  sha256: Buffer;
}

interface DepositWalletTable {
  network: Network;
  valid_from: Generated<Date>;
  address: string;
  minimum_usdt_minor: bigint;
  is_open: Generated<boolean>;
}

interface ChainTransactionTable {
  kind: 'topup' | 'withdrawal';
  network: string;
  transaction_id: string;
  merchant_id: bigint;
  trade_no: string;
}
