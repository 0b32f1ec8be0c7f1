import type { CashierOrder as CashierView } from '@hengfu/contract/cashier';
import { channelCodes } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/languages';
import { formatAmount } from '@hengfu/contract/money';
import { type Adapters, adapterNamed, ChannelUnavailable, type CollectReply } from '#channels/channel.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { translate } from '#domain/language.ts';
import { receiptPathOf } from '#domain/receipt-links.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  type CashierOrder,
  claimChannel,
  findByToken,
  listOpenChannels,
  savePayment,
} from './cashier.sql.ts';

export interface CashierOptions {
  database: Database;
  adapters: Adapters;
  /** Public base URL of the product. */
  appUrl: () => string;
  /** Schedules a query of the payment's outcome, in case the channel never reports it. */
  scheduleQuery: (tx: MerchantTx, tradeNo: string) => Promise<void>;
}

/** The payer's side of a collection. */
export class CashierService {
  readonly #options: CashierOptions;

  constructor(options: CashierOptions) {
    this.#options = options;
  }

  /** Returns the order as the payer sees it. Throws `not_found` for an unknown link. */
  async view(token: string, language: Language): Promise<CashierView> {
    const order = await this.#find(token);
    return this.#options.database.asMerchant(order.merchantId, async (tx) => {
      const channels = order.status === 'toBePaid' ? await listOpenChannels(tx, order) : [];
      const receipt = order.hasReceipt ? await receiptPathOf(tx, order.id) : null;
      return toView(order, { channels, receipt }, language);
    });
  }

  /**
   * Sends the payer to a channel. The choice is saved before the channel is called, so that a query still
   * finds a payment that the channel accepted without answering. A payer who was sent to the channel before
   * gets the same payment page again, even while the merchant is suspended. Throws `order_not_payable`,
   * `channel_closed`, `channel_unavailable`.
   */
  async pay(token: string, channel: string, language: Language): Promise<CashierView> {
    const { database, adapters } = this.#options;
    const order = await this.#find(token);
    if (order.payUrl !== null && order.channel === channel) return this.view(token, language);
    const { adapter, method } = await database.asMerchant(order.merchantId, async (tx) => {
      const open = (await listOpenChannels(tx, order)).find(({ code }) => code === channel);
      if (!open) throw new Refusal('channel_closed');
      if (!(await claimChannel(tx, order, channel))) throw new Refusal('order_not_payable');
      await this.#options.scheduleQuery(tx, order.tradeNo);
      return { adapter: adapterNamed(adapters, open.adapter), method: open.method };
    });
    const payment = await this.#collect(adapter, order, { channel, method, token });
    if (!(await database.asMerchant(order.merchantId, (tx) => savePayment(tx, order, payment)))) {
      // The merchant cancelled the order before the channel knew of it. If the channel cannot be reached now, the scheduled query cancels the
      // payment there.
      await adapter.cancelCollection(order.tradeNo).catch(ignoreUnavailable);
      throw new Refusal('order_not_payable');
    }
    return this.view(token, language);
  }

  async #collect(
    adapter: ReturnType<typeof adapterNamed>,
    order: CashierOrder,
    { channel, method, token }: { channel: string; method: string; token: string },
  ): Promise<CollectReply> {
    const appUrl = this.#options.appUrl();
    try {
      return await adapter.collect({
        reference: order.tradeNo,
        amountMinor: order.amountMinor,
        currency: order.currency,
        method,
        description: order.subject ?? order.merchantName,
        expiresAt: order.expiresAt,
        notifyUrl: `${appUrl}/api/channels/${channel}/callback`,
        returnUrl: `${appUrl}/pay/${token}`,
      });
    } catch (error) {
      if (error instanceof ChannelUnavailable) throw new Refusal('channel_unavailable');
      throw error;
    }
  }

  async #find(token: string): Promise<CashierOrder> {
    const order = await this.#options.database.asSystem((tx) => findByToken(tx, token), {
      oneStatement: true,
    });
    if (!order) throw new Refusal('not_found');
    return order;
  }
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof ChannelUnavailable)) throw error;
}

function toView(
  order: CashierOrder,
  { channels, receipt }: { channels: readonly { code: string }[]; receipt: string | null },
  language: Language,
): CashierView {
  const { payUrl, qrContent, channel } = order;
  // To the payer, an expired order is closed even before the sweep has closed it.
  const isExpired = order.status === 'toBePaid' && order.expiresAt <= order.now;
  return {
    merchant: order.brand.name,
    color: order.brand.color,
    logo: order.brand.logo,
    registeredName: order.brand.registeredName,
    subject: order.subject,
    trade_no: order.tradeNo,
    amount: formatAmount(order.amountMinor, order.currency),
    refunded: formatAmount(order.refundedMinor, order.currency),
    currency: order.currency,
    status: isExpired ? 'closed' : order.status,
    lateReturn: order.lateReturn,
    expiresAt: order.expiresAt.toISOString(),
    now: order.now.toISOString(),
    channels: channels.map(({ code }) => ({ code, name: channelName(code, language) })),
    payment: payUrl !== null && channel !== null ? { channel, payUrl, qrContent } : null,
    receipt,
    returnUrl: order.returnUrl,
    failureReason: order.failureCode,
  };
}

function channelName(code: string, language: Language): string {
  const known = channelCodes.find((name) => name === code);
  return known ? translate(language, `channels.${known}`) : code;
}
