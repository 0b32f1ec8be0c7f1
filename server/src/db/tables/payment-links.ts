import type { ImageType } from '@hengfu/contract/images';
import type { Currency } from '@hengfu/contract/money';
import type { AskedFields, PayerAnswer } from '@hengfu/contract/payer-fields';
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';

export interface PaymentLinkTables {
  payment_link: PaymentLinkTable;
  payment_link_image: PaymentLinkImageTable;
  payment_link_order: PaymentLinkOrderTable;
}

interface PaymentLinkTable {
  merchant_id: bigint;
  id: GeneratedAlways<bigint>;
  link_no: string;
  token: string;
  title: string;
  description: string | null;
  currency: Currency;
  amount_minor: bigint | null;
  least_minor: bigint | null;
  most_minor: bigint | null;
  max_quantity: number;
  max_uses: number | null;
  asked: JSONColumnType<AskedFields>;
  note: string | null;
  return_url: string | null;
  is_on: Generated<boolean>;
  expires_at: Date | null;
  live_orders: Generated<number>;
  paid_orders: Generated<number>;
  paid_minor: Generated<bigint>;
  created_by: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface PaymentLinkImageTable {
  merchant_id: bigint;
  link_id: bigint;
  type: ImageType;
  bytes: Buffer;
  sha256: Buffer;
}

interface PaymentLinkOrderTable {
  merchant_id: bigint;
  collection_id: bigint;
  quantity: number;
  answers: JSONColumnType<PayerAnswer[]>;
  payer: Buffer | null;
}
