import type { ChannelRefusal, CollectionRefusal, PayoutRefusal } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';

/** A request to collect a payment. */
export interface CollectRequest {
  /** Our order number, which is also the idempotency key at the channel. */
  reference: string;
  amountMinor: bigint;
  currency: Currency;
  /** One of the channel's payment methods. */
  method: string;
  description: string;
  expiresAt: Date;
  /** The URL to which the channel reports the outcome. */
  notifyUrl: string;
  /** The URL to which the payer's browser returns. */
  returnUrl: string;
}

/** How the payer can pay. */
export interface CollectReply {
  payUrl: string;
  /** Content of a QR code; null if the channel has none. */
  qrContent: string | null;
}

/** A channel's report on a payment. */
export interface PaymentReport {
  reference: string;
  status: 'pending' | 'paid' | 'refused' | 'cancelled';
  /** The channel's number for the order. */
  bankReference: string;
  amountMinor: bigint;
  currency: string;
  /** Why the channel refused; null if it did not. */
  reason: ChannelRefusal<CollectionRefusal> | null;
}

/** The state of a refund at a channel. */
export interface RefundReport {
  /** `voided`: it had not arrived when it was voided, and is never made. `pending`: the channel has accepted it, and has not decided yet. */
  status: 'refunded' | 'refused' | 'voided' | 'pending';
  /** The channel's text if it refused. */
  reason: string | null;
  /** The channel's number for the refund; null if it gives none. */
  bankReference: string | null;
}

export interface RefundRequest {
  /** Our number for the refund, which is also the idempotency key at the channel. */
  reference: string;
  collectionReference: string;
  amountMinor: bigint;
  currency: Currency;
}

/** A request to make a payout. */
export interface PayOutRequest {
  /** Our order number, which is also the idempotency key at the channel. */
  reference: string;
  amountMinor: bigint;
  currency: Currency;
  method: string;
  payee: string;
  account: string;
  /** The fields of the payout method. */
  details: Readonly<Record<string, string>>;
  notifyUrl: string;
}

/** A channel's report on a payout. */
export interface PayoutReport {
  reference: string;
  status: 'pending' | 'paid' | 'refused';
  /** The channel's number for the order. */
  bankReference: string;
  /** The amount that the channel has paid, or is to pay; absent if the channel does not say. */
  amountMinor?: bigint | undefined;
  currency?: string | undefined;
  /** Why the channel refused; null if it did not. */
  reason: ChannelRefusal<PayoutRefusal> | null;
}

/** An order in a channel's own list of orders. */
export interface ListedOrder {
  kind: 'collection' | 'payout' | 'refund';
  /** Our number for it. */
  reference: string;
  /** As the channel calls it. */
  status: string;
  amountMinor: bigint;
  currency: string;
  /** When the channel received it, by the channel's clock. */
  createdAt: Date;
  /** The payment method for which a collection was requested; absent if the list does not name it. */
  method?: string | undefined;
}

/** A report that a channel sends unasked, as a callback. */
export type ChannelEvent =
  | { kind: 'payment'; report: PaymentReport }
  | { kind: 'payout'; report: PayoutReport };

/** The channel gave no answer, or an unreadable one: the outcome of the request is unknown. */
export class ChannelUnavailable extends Error {}

/**
 * A payment channel: a bank or wallet behind its own protocol. Every method throws {@link ChannelUnavailable}
 * if the outcome is unknown; the caller queries it later and never assumes.
 */
export interface ChannelAdapter {
  collect(request: CollectRequest): Promise<CollectReply>;
  /** Asks for the state of a payment; undefined if the channel does not know the reference. */
  queryCollection(reference: string): Promise<PaymentReport | undefined>;
  /** Cancels a payment unless it was made; returns its state. Undefined if the reference is unknown. */
  cancelCollection(reference: string): Promise<PaymentReport | undefined>;
  /** Refunds a payment or a part of it, once per reference. */
  refund(request: RefundRequest): Promise<RefundReport>;
  /** Asks how a refund ended; undefined if the channel does not know the reference. */
  queryRefund(reference: string): Promise<RefundReport | undefined>;
  /** Voids a refund that has not arrived, so that it is never made; returns how it ended. */
  voidRefund(reference: string): Promise<RefundReport>;
  /** Reads a callback; undefined without a valid signature. Throws `bad_request` if the body is malformed. */
  readCallback(
    headers: Record<string, string | string[] | undefined>,
    body: Buffer,
  ): ChannelEvent | undefined;
  /** Submits a payout; resolves once the channel has accepted it. The outcome is reported or queried. */
  payOut(request: PayOutRequest): Promise<void>;
  /** Asks for the state of a payout; undefined if the channel does not know the reference. */
  queryPayout(reference: string): Promise<PayoutReport | undefined>;
  /** Voids a payout that has not arrived, so that it is never made; returns its state. */
  voidPayout(reference: string): Promise<PayoutReport>;
  /** Lists the orders that the channel received from a moment on, oldest first. Absent if the channel has no such list. */
  listOrders?(from: Date): AsyncIterable<ListedOrder>;
}

/** The adapters by name; the database names the adapter of each channel. */
export type Adapters = ReadonlyMap<string, ChannelAdapter>;

/** Finds an adapter by name. Throws if there is none: the channel is misconfigured. */
export function adapterNamed(adapters: Adapters, name: string): ChannelAdapter {
  const adapter = adapters.get(name);
  if (!adapter) throw new Error(`no channel adapter is named ${name}`);
  return adapter;
}
