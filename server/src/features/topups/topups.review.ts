import { canMove } from '@hengfu/contract/moves';
import type { NoticeKind } from '@hengfu/contract/notices';
import type { StaffPerm } from '@hengfu/contract/staff/permissions';
import type { TopupStatus } from '@hengfu/contract/topups';
import { topupMoves } from '@hengfu/contract/topups';
import type { Database, MerchantTx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import { type NamedActor, nameOfActor, type ServiceActor } from '#domain/caller.ts';
import { claimCase, releaseCase } from '#domain/case-claims.sql.ts';
import { countAlone, type DoneAlone, sumAlone } from '#domain/done-alone.sql.ts';
import type { Image } from '#domain/images.ts';
import { moneyFacts, writeNotice } from '#domain/notices.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { post } from '#ledger/ledger.ts';
import { worth } from './topups.rules.ts';
import { type Finding, findImage, findTopup, moveTopup, type Topup } from './topups.sql.ts';
import {
  type ComparedTopup,
  findMerchantToReview,
  listCompared,
  listEarlier,
  listToReview,
  type TopupToReview,
} from './topups-review.sql.ts';

export type { ComparedTopup, TopupToReview };

/** The top-ups that a reviewer compares with a case. */
export interface Comparison {
  sameImage: ComparedTopup[];
  sameTransaction: ComparedTopup[];
  earlier: ComparedTopup[];
}

/** The notification that each review step sends to the merchant. */
const noticeOf: Partial<Record<TopupStatus, NoticeKind>> = {
  approved: 'topupApproved',
  paid: 'topupPaid',
  rejected: 'topupRejected',
};

/** The permission that a claim needs, by what the top-up waits for. */
const permOf: Partial<Record<TopupStatus, StaffPerm>> = {
  pendingReview: 'topupReviews.decide',
  approved: 'topupReviews.credit',
};

/** A member of our staff, who alone can hold a claim. */
type StaffActor = Exclude<ServiceActor, string>;

/** Lets staff review top-ups. Audits every change. */
export class TopupReview {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the top-ups that wait for staff, oldest first: a page of those behind the one with a number. */
  waiting(after?: string): Promise<TopupToReview[]> {
    return this.#database.asSystem((tx) => listToReview(tx, { after }));
  }

  /** Returns one top-up with what it is compared with. Throws `not_found`. */
  compare(tradeNo: string): Promise<{ topup: TopupToReview } & Comparison> {
    return this.#database.asSystem(async (tx) => {
      const [topup] = await listToReview(tx, { tradeNo });
      if (!topup) throw new Refusal('not_found');
      return {
        topup,
        sameImage: await listCompared(tx, topup.sameImage),
        sameTransaction: await listCompared(tx, topup.sameTransaction),
        earlier: await listEarlier(tx, topup),
      };
    });
  }

  /**
   * Takes a top-up that waits, so that others see who works on it. Throws `not_found`, `case_taken`, `invalid_transition`, and
   * `forbidden` for somebody who may not do what the top-up waits for: the claim would keep out those who may.
   */
  claim(tradeNo: string, by: StaffActor): Promise<void> {
    return this.#withTopup(tradeNo, async (tx, order) => {
      const perm = permOf[order.status];
      if (!perm) throw new Refusal('invalid_transition', statusOf(order));
      if (!by.member.perms.includes(perm)) throw new Refusal('forbidden');
      await claimCase(tx, order, by.member);
      await this.#auditClaim(tx, order, by, 'topup.claim');
    });
  }

  /** Gives a top-up back that the person has taken; does nothing for one that the person has not. Throws `not_found`. */
  release(tradeNo: string, by: StaffActor): Promise<void> {
    return this.#withTopup(tradeNo, async (tx, order) => {
      if (await releaseCase(tx, order, by.member)) await this.#auditClaim(tx, order, by, 'topup.release');
    });
  }

  /** Audits a claim for the service: merchants do not read who works on their cases. */
  async #auditClaim(
    tx: MerchantTx,
    { tradeNo, status }: Topup,
    by: StaffActor,
    action: 'topup.claim' | 'topup.release',
  ): Promise<void> {
    const fields = fieldsOfActor(by);
    await writeAudit(tx, { merchantId: null, ...fields, action, subject: tradeNo, after: { status } });
  }

  /** Returns one top-up with its picture. Throws `not_found`. */
  async show(tradeNo: string): Promise<{ topup: TopupToReview; image: Image }> {
    const [topup] = await this.#database.asSystem((tx) => listToReview(tx, { tradeNo }));
    const image =
      topup && (await this.#database.asMerchant(topup.merchantId, (tx) => findImage(tx, tradeNo)));
    if (!topup || !image) throw new Refusal('not_found');
    return { topup, image };
  }

  /**
   * Approves a top-up for the amount that arrived, in minor units of USDT. Throws `not_found`,
   * `invalid_transition`, `validation_failed`, and `case_taken` if another member of our staff works on it.
   */
  approve(tradeNo: string, by: ServiceActor, arrivedUsdtMinor: bigint): Promise<Topup> {
    return this.#move(tradeNo, by, 'approved', async (_tx, order) => {
      const { amountMinor, usdMinor } = worth(arrivedUsdtMinor, order.currency, order);
      if (amountMinor <= 0n) throw fieldRefusal('amount', 'validation.amount');
      return { arrivedUsdtMinor, amountMinor, usdMinor };
    });
  }

  /**
   * Credits the approved amount to available funds. Throws `not_found`, `invalid_transition`, `case_taken`, and `approval_changed` if so
   * much arrived that a second person has to agree: at least `belowUsdtMinor`, in minor units of USDT, together with what the person has
   * credited to the merchant alone within 24 hours.
   */
  credit(tradeNo: string, by: ServiceActor, belowUsdtMinor?: bigint): Promise<Topup> {
    return this.#move(tradeNo, by, 'paid', async (tx, order) => {
      // The amount may have been approved since the caller read it.
      const usdtMinor = order.arrivedUsdtMinor ?? order.usdtMinor;
      if (belowUsdtMinor !== undefined)
        await countAlone(tx, { kind: 'topupCredit', by, usdtMinor, belowUsdtMinor });
      return bookCredit(tx, order);
    });
  }

  /** Adds up what somebody has credited to merchants alone. */
  doneAlone(by: NamedActor): Promise<DoneAlone> {
    return this.#database.asSystem((tx) => sumAlone(tx, 'topupCredit', nameOfActor(by)));
  }

  /** Rejects a top-up; the merchant sees the reason. Throws `not_found`, `invalid_transition`, `case_taken`. */
  reject(tradeNo: string, by: ServiceActor, rejectReason: string): Promise<Topup> {
    return this.#move(tradeNo, by, 'rejected', async () => ({ rejectReason }));
  }

  #move(tradeNo: string, by: ServiceActor, to: Move['to'], work: Move['work']): Promise<Topup> {
    return this.#withTopup(tradeNo, (tx, order) => move(tx, order, by, { to, work }));
  }

  /** Runs work on a top-up, whose row is locked until the transaction ends. Throws `not_found`. */
  async #withTopup<T>(tradeNo: string, work: (tx: MerchantTx, order: Topup) => Promise<T>): Promise<T> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantToReview(tx, tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findTopup(tx, tradeNo, { isHeld: true });
      if (!order) throw new Refusal('not_found');
      return work(tx, order);
    });
  }
}

/**
 * Credits a top-up, in a transaction of its merchant. Two people have agreed to the amount, so nobody's claim is in the way. Throws
 * `not_found`, `invalid_transition`, `approval_changed`.
 */
export async function creditAsAgreed(
  tx: MerchantTx,
  tradeNo: string,
  by: ServiceActor,
  amountMinor: bigint,
): Promise<void> {
  const order = await findTopup(tx, tradeNo, { isHeld: true });
  if (!order) throw new Refusal('not_found');
  if (order.amountMinor !== amountMinor) throw new Refusal('approval_changed');
  await move(tx, order, by, { to: 'paid', work: bookCredit, isAgreed: true });
}

async function bookCredit(
  tx: MerchantTx,
  { tradeNo, currency, network, amountMinor }: Topup,
): Promise<Finding> {
  await post(tx, {
    type: 'topup',
    key: `topup:${tradeNo}`,
    subjectNo: tradeNo,
    currency,
    entries: [
      { account: 'crypto', reference: network, amountMinor: -amountMinor },
      { account: 'available', amountMinor },
    ],
  });
  return {};
}

interface Move {
  to: Exclude<TopupStatus, 'pendingReview'>;
  work: (tx: MerchantTx, order: Topup) => Promise<Finding>;
  /** Two people have agreed, so nobody's claim is in the way. */
  isAgreed?: boolean;
}

/** Moves a top-up whose row is locked; audits it, and notifies the merchant. */
async function move(
  tx: MerchantTx,
  order: Topup,
  by: ServiceActor,
  { to, work, isAgreed = false }: Move,
): Promise<Topup> {
  const { merchantId } = tx;
  const { tradeNo } = order;
  if (!canMove(topupMoves, order.status, to)) throw new Refusal('invalid_transition', statusOf(order));
  if (typeof by !== 'string' && !isAgreed) await claimCase(tx, order, by.member);
  const found = await work(tx, order);
  const moved = await moveTopup(tx, order, to, found);
  if (!moved) throw new Refusal('invalid_transition', statusOf(order));
  const { amountMinor, arrivedUsdtMinor, rejectReason } = moved;
  const after = {
    amountMinor: String(amountMinor),
    rejectReason,
    arrivedUsdtMinor: arrivedUsdtMinor === null ? null : String(arrivedUsdtMinor),
  };
  const before = { status: order.status, amountMinor: String(order.amountMinor) };
  await writeAudit(tx, {
    merchantId,
    ...fieldsOfActor(by),
    action: `topup.${to}`,
    subject: tradeNo,
    before,
    after: { ...after, status: to },
  });
  const kind = noticeOf[to];
  if (kind) await writeNotice(tx, { merchantId, kind, subject: tradeNo, facts: moneyFacts(moved) });
  tx.changed(merchantId, 'topups', 'account');
  return moved;
}

/** The value of a refusal that names a top-up's status. */
function statusOf({ status }: Topup) {
  return { values: { status: `topups.status.${status}` } } as const;
}
