import type { ChannelRefusal, CollectionRefusal, PayoutRefusal } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';

/** A payment that a channel is asked to collect. */
export interface CollectRequest {
  /** Our order number; the channel takes a second request with it as the first one repeated. */
  reference: string;
  amountMinor: bigint;
  currency: Currency;
  /** Which of the channel's ways to pay. */
  method: string;
  description: string;
  expiresAt: Date;
  /** Where the channel reports what became of it. */
  notifyUrl: string;
  /** Where the payer's browser goes afterwards. */
  returnUrl: string;
}

/** How the payer can pay. */
export interface CollectReply {
  payUrl: string;
  /** Content of a QR code, where the channel has one. */
  qrContent: string | null;
}

/** What a channel says became of a payment. */
export interface PaymentReport {
  reference: string;
  status: 'pending' | 'paid' | 'refused' | 'cancelled';
  /** The channel's own number for it. */
  bankReference: string;
  amountMinor: bigint;
  currency: string;
  /** Why it refused. */
  reason: ChannelRefusal<CollectionRefusal> | null;
}

/** What a channel says to a refund. */
export interface RefundReport {
  status: 'refunded' | 'refused';
  /** The channel's own words when it refused. */
  reason: string | null;
}

export interface RefundRequest {
  /** Our number for the refund; a second request with it is the first one repeated. */
  reference: string;
  collectionReference: string;
  amountMinor: bigint;
  currency: Currency;
}

/** A payment that a channel is asked to make. */
export interface PayOutRequest {
  /** Our order number; the channel takes a second request with it as the first one repeated. */
  reference: string;
  amountMinor: bigint;
  currency: Currency;
  method: string;
  payee: string;
  account: string;
  /** The method's own fields. */
  details: Readonly<Record<string, string>>;
  notifyUrl: string;
}

/** What a channel says became of a payout. */
export interface PayoutReport {
  reference: string;
  status: 'pending' | 'paid' | 'refused';
  /** The channel's own number for it. */
  bankReference: string;
  /** Why it refused. */
  reason: ChannelRefusal<PayoutRefusal> | null;
}

/** What a channel reports on its own account. */
export type ChannelEvent =
  | { kind: 'payment'; report: PaymentReport }
  | { kind: 'payout'; report: PayoutReport };

/** The channel did not answer, or not in a way that can be read: what became of the request is not known. */
export class ChannelUnavailable extends Error {}

/**
 * A payment channel: a bank or wallet behind its own protocol. Every method throws {@link ChannelUnavailable} where the
 * outcome is unknown; the caller asks again and never assumes.
 */
export interface ChannelAdapter {
  collect(request: CollectRequest): Promise<CollectReply>;
  /** Undefined where the channel has never heard of the reference. */
  queryCollection(reference: string): Promise<PaymentReport | undefined>;
  /** Ends a payment that nobody has made; the report says what it is now. */
  cancelCollection(reference: string): Promise<PaymentReport | undefined>;
  refund(request: RefundRequest): Promise<RefundReport>;
  /** Reads a callback; undefined where it is not signed by the channel. Throws on a body that makes no sense. */
  readCallback(
    headers: Record<string, string | string[] | undefined>,
    body: Buffer,
  ): ChannelEvent | undefined;
  /** Resolves once the channel has taken the payout; what became of it is reported, or asked for. */
  payOut(request: PayOutRequest): Promise<void>;
  /** Undefined where the channel has never heard of the reference. */
  queryPayout(reference: string): Promise<PayoutReport | undefined>;
  /** Makes sure that a payout which never arrived is never made; the report says what it is. */
  voidPayout(reference: string): Promise<PayoutReport>;
}

/** The adapters by name; a channel's row in the database names the one that speaks to it. */
export type Adapters = ReadonlyMap<string, ChannelAdapter>;

/** The adapter of a name; a channel that names none of ours is a fault of the set-up. */
export function adapterNamed(adapters: Adapters, name: string): ChannelAdapter {
  const adapter = adapters.get(name);
  if (!adapter) throw new Error(`no channel adapter is named ${name}`);
  return adapter;
}
