import { slipDays } from '@hengfu/contract/payout-slips';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Secrets } from '#security/secrets.ts';
import { findSlipOrder, revokeSlips, type SlipOrder } from './payout-slips.sql.ts';

const purpose = 'payout slip';
const dayMs = 86_400_000;
const radix = 36;
const separator = '~';

/** The signed content of a link. */
interface Claims {
  merchantId: bigint;
  tradeNo: string;
  expiresAt: Date;
  /** How often the payout's links had been revoked when this one was made. */
  revokedTimes: number;
}

/** A payout with the link to its slip, and when the link expires. */
export interface Slip {
  order: SlipOrder;
  url: string;
  expiresAt: Date;
}

/**
 * Manages slips of paid payouts, behind links that may be given to anyone. A link contains the merchant, the
 * payout's number, its expiry and the number of revocations before it, signed with an HMAC. Links are not
 * stored; a revocation increments a counter of the payout, which invalidates every link made until then.
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

  /** Makes a link. Throws `not_found`; `invalid_transition` if the payout is not paid. */
  make(person: Person, request: RequestInfo, tradeNo: string): Promise<{ url: string; expiresAt: Date }> {
    const { merchantId } = person.home;
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findSlipOrder(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      if (order.status !== 'processed')
        throw new Refusal('invalid_transition', { values: { status: `payouts.status.${order.status}` } });
      await auditPerson(tx, person, request, 'payout.slip', {
        subject: tradeNo,
      });
      const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + slipDays * dayMs);
      const token = this.#tokenOf({ merchantId, tradeNo, expiresAt, revokedTimes: order.revokedTimes });
      return { url: this.#urlOf(token), expiresAt };
    });
  }

  /** Revokes every link made so far. Throws `not_found`. */
  revoke(person: Person, request: RequestInfo, tradeNo: string): Promise<void> {
    return this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const order = await findSlipOrder(tx, tradeNo);
      if (!order) throw new Refusal('not_found');
      const times = await revokeSlips(tx, order.id);
      await auditPerson(tx, person, request, 'payout.slip.revoke', {
        subject: tradeNo,
        before: { revokedTimes: times - 1 },
        after: { revokedTimes: times },
      });
    });
  }

  /**
   * Reads the slip behind a link. Throws `not_found` for a link with a wrong signature, `link_expired`, and
   * `link_revoked` for a link made before a revocation.
   */
  async read(token: string): Promise<Slip> {
    const { merchantId, tradeNo, expiresAt, revokedTimes } = this.#claimsOf(token);
    if (expiresAt.getTime() <= Date.now()) throw new Refusal('link_expired');
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findSlipOrder(tx, tradeNo);
      if (order?.status !== 'processed') throw new Refusal('not_found');
      if (order.revokedTimes !== revokedTimes) throw new Refusal('link_revoked');
      return { order, url: this.#urlOf(token), expiresAt };
    });
  }

  #tokenOf({ merchantId, tradeNo, expiresAt, revokedTimes }: Claims): string {
    const end = (expiresAt.getTime() / 1000).toString(radix);
    const parts = [merchantId.toString(radix), tradeNo, end];
    if (revokedTimes > 0) parts.push(revokedTimes.toString(radix));
    const body = parts.join(separator);
    return `${body}${separator}${this.#secrets.hmac(purpose, body)}`;
  }

  /** Verifies a link's signature and returns its content. Throws `not_found`. */
  #claimsOf(token: string): Claims {
    const parts = token.split(separator);
    const hmac = parts.pop() ?? '';
    if (!this.#secrets.isHmacOf(hmac, purpose, parts.join(separator))) throw new Refusal('not_found');
    const [merchant = '', tradeNo = '', end = '', revokedTimes = '0'] = parts;
    return {
      merchantId: BigInt(Number.parseInt(merchant, radix)),
      tradeNo,
      expiresAt: new Date(Number.parseInt(end, radix) * 1000),
      revokedTimes: Number.parseInt(revokedTimes, radix),
    };
  }

  #urlOf(token: string): string {
    return `${this.#appUrl()}/slip/${token}`;
  }
}
