import { slipDays } from '@hengfu/contract/payout-slips';
import type { Person, RequestInfo } from '#caller.ts';
import { writeAudit } from '#db/audit.ts';
import type { Database } from '#db/database.ts';
import { Refusal } from '#refusal.ts';
import type { Secrets } from '../../secrets.ts';
import { findSlipOrder, type SlipOrder } from './payout-slips.sql.ts';

const purpose = 'payout slip';
const dayMs = 86_400_000;
const radix = 36;

/** A slip: the payout, and until when its link works. */
export interface Slip {
  order: SlipOrder;
  url: string;
  expiresAt: Date;
}

/**
 * Slips of paid payouts, behind links that anybody may be given. A link holds whose payout it is, its number and its
 * end, under a mark that nobody else can make: nothing is kept, and nothing can be guessed.
 */
export class PayoutSlips {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #appUrl: () => string;

  constructor(database: Database, secrets: Secrets, appUrl: () => string) {
    this.#database = database;
    this.#secrets = secrets;
    this.#appUrl = appUrl;
  }

  /** Makes a link. Throws `not_found`; `invalid_transition` where it is not paid. */
  make(
    { home: { merchantId }, userId }: Person,
    request: RequestInfo,
    tradeNo: string,
  ): Promise<{ url: string; expiresAt: Date }> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findSlipOrder(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      if (order.status !== 'processed')
        throw new Refusal('invalid_transition', { values: { status: `payouts.status.${order.status}` } });
      await writeAudit(tx, {
        ...{ merchantId, actor: `user:${userId}`, action: 'payout.slip', subject: tradeNo },
        ...{ address: request.address, requestId: request.id },
      });
      const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + slipDays * dayMs);
      const body = [merchantId.toString(radix), tradeNo, (expiresAt.getTime() / 1000).toString(radix)].join(
        '~',
      );
      return { url: this.#urlOf(`${body}~${this.#secrets.mark(purpose, body)}`), expiresAt };
    });
  }

  /** Reads what is behind a link. Throws `not_found` for one that was not made here, `link_expired` for an old one. */
  async read(token: string): Promise<Slip> {
    const [merchant = '', tradeNo = '', end = '', mark = ''] = token.split('~');
    const body = [merchant, tradeNo, end].join('~');
    if (!this.#secrets.isMarkOf(mark, purpose, body)) throw new Refusal('not_found');
    const expiresAt = new Date(Number.parseInt(end, radix) * 1000);
    if (expiresAt.getTime() <= Date.now()) throw new Refusal('link_expired');
    const merchantId = BigInt(Number.parseInt(merchant, radix));
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findSlipOrder(tx, tradeNo);
      if (order?.status !== 'processed') throw new Refusal('not_found');
      return { order, url: this.#urlOf(token), expiresAt };
    });
  }

  #urlOf(token: string): string {
    return `${this.#appUrl()}/slip/${token}`;
  }
}
