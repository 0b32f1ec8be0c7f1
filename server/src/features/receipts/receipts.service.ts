import type { Language } from '@hengfu/contract/languages';
import { formatAmount } from '@hengfu/contract/money';
import { receiptAmount, receiptRows, receiptState, receiptTime } from '@hengfu/contract/receipt-text';
import { type Receipt, receiptPage } from '@hengfu/contract/receipts';
import type { Database } from '#db/database.ts';
import type { Home } from '#domain/caller.ts';
import { translate } from '#domain/language.ts';
import { receiptPathOf } from '#domain/receipt-links.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import type { PrintedReceipt } from './pdf/draw-receipt.ts';
import type { ReceiptPrinter } from './pdf/receipt-printer.ts';
import { findByToken, findOrder, type PaidOrder, readLogo } from './receipts.sql.ts';

const busyRetrySeconds = 5;

interface ReceiptOptions {
  database: Database;
  printer: Pick<ReceiptPrinter, 'print'>;
  /** Name of the installation. */
  title: string;
  /** Public base URL of the product. */
  appUrl: () => string;
}

/** A finished PDF. */
export interface ReceiptFile {
  name: string;
  content: Buffer;
}

/** Receipts of paid collections, behind links that payers may pass on. */
export class ReceiptService {
  readonly #options: ReceiptOptions;

  constructor(options: ReceiptOptions) {
    this.#options = options;
  }

  /**
   * Returns the address of the receipt of a merchant's collection, or null once it has ended. Throws `not_found`, also for another
   * merchant's, and `invalid_transition` if it is not paid.
   */
  link({ merchantId }: Home, tradeNo: string): Promise<string | null> {
    const { database, appUrl } = this.#options;
    return database.asMerchant(merchantId, async (tx) => {
      const order = await findOrder(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      if (!order.paid_at)
        throw new Refusal('invalid_transition', { values: { status: `collections.status.${order.status}` } });
      return order.has_receipt ? `${appUrl()}${await receiptPathOf(tx, order.id)}` : null;
    });
  }

  /** Returns the receipt behind a link. Throws `not_found`. */
  async read(token: string): Promise<Receipt> {
    return toReceipt(await this.#find(token));
  }

  /** Returns it as a PDF. Throws `not_found`, and `too_many_requests` while too many PDFs are waiting. */
  async pdf(token: string, language: Language): Promise<ReceiptFile> {
    const { database, printer } = this.#options;
    const order = await this.#find(token);
    const logo = order.merchant.logo
      ? await database.asMerchant(order.merchantId, (tx) => readLogo(tx), { oneStatement: true })
      : null;
    const content = await printer.print(token, this.#printed(toReceipt(order), { token, language, logo }));
    if (!content) throw new Refusal('too_many_requests', { retryAfterSeconds: busyRetrySeconds });
    // The page names the merchant with “(TEST)” behind its name; a file is known by its own.
    return { name: `${order.mode === 'test' ? 'TEST-' : ''}${order.tradeNo}.pdf`, content };
  }

  async #find(token: string): Promise<PaidOrder> {
    const order = await this.#options.database.asSystem((tx) => findByToken(tx, token), {
      oneStatement: true,
    });
    if (!order) throw new Refusal('not_found');
    return order;
  }

  /** Returns the texts of a PDF. */
  #printed(
    receipt: Receipt,
    { token, language, logo }: { token: string; language: Language; logo: Buffer | null },
  ): PrintedReceipt {
    const { title, appUrl } = this.#options;
    const state = receiptState(receipt);
    const channel = translate(language, `channels.${receipt.channel}`);
    const now = receiptTime(new Date(), receipt.zone, language);
    return {
      language,
      color: receipt.merchant.color,
      logo,
      merchant: receipt.merchant.name,
      title: translate(language, 'receipts.title'),
      amount: receiptAmount(receipt.amount, receipt.currency, language),
      state: translate(language, `receipts.state.${state}`),
      isPaid: state === 'paid',
      rows: receiptRows(receipt, language, channel).map(([label, value]) => [
        translate(language, `receipts.${label}`),
        value,
      ]),
      notes: [
        translate(language, 'receipts.asOf', { time: now, title }),
        translate(language, 'receipts.note'),
      ],
      url: `${appUrl()}${receiptPage.path.replace(':token', token)}`,
    };
  }
}

/** A channel's number as far as it is one: a bank's own words are never shown to payers. */
const plainReference = /^[\w./:-]{1,64}$/;

function toReceipt(order: PaidOrder): Receipt {
  const { currency, bankReference } = order;
  return {
    merchant: order.merchant,
    registeredName: order.registeredName,
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    subject: order.subject,
    amount: formatAmount(order.amountMinor, currency),
    currency,
    refunded: formatAmount(order.refundedMinor, currency),
    kept: formatAmount(order.amountMinor - order.refundedMinor, currency),
    channel: order.channel,
    bankReference: bankReference !== null && plainReference.test(bankReference) ? bankReference : null,
    createdAt: order.createdAt.toISOString(),
    paidAt: order.paidAt.toISOString(),
    refundedAt: order.refundedAt?.toISOString() ?? null,
    zone: order.zone,
  };
}
