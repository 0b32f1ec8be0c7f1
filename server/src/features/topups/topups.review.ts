import { canMove } from '@hengfu/contract/moves';
import type { NoticeKind } from '@hengfu/contract/notices';
import type { TopupStatus } from '@hengfu/contract/topups';
import { topupMoves } from '@hengfu/contract/topups';
import { addressFault } from '@hengfu/contract/wallets';
import type { Database, MerchantTx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { moneyFacts, writeNotice } from '#domain/notices.sql.ts';
import { findMerchantOf } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { post } from '#ledger/ledger.ts';
import { insertWallet, listWallets } from './deposit-wallets.sql.ts';
import { type Image, type Wallet, worth } from './topups.rules.ts';
import { type Finding, findImage, findTopup, moveTopup, type Topup } from './topups.sql.ts';
import { listToReview, type TopupToReview } from './topups-review.sql.ts';

export type { TopupToReview };

/** The notification that each review step sends to the merchant. */
const noticeOf: Partial<Record<TopupStatus, NoticeKind>> = {
  approved: 'topupApproved',
  paid: 'topupPaid',
  rejected: 'topupRejected',
};

/** Lets staff manage deposit wallets and review top-ups. Audits every change. */
export class TopupReview {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the top-ups that wait for staff, oldest first. */
  waiting(): Promise<TopupToReview[]> {
    return this.#database.asSystem((tx) => listToReview(tx));
  }

  /** Returns one top-up with its picture. Throws `not_found`. */
  async show(tradeNo: string): Promise<{ topup: TopupToReview; image: Image }> {
    const [topup] = await this.#database.asSystem((tx) => listToReview(tx, tradeNo));
    const image =
      topup && (await this.#database.asMerchant(topup.merchantId, (tx) => findImage(tx, tradeNo)));
    if (!topup || !image) throw new Refusal('not_found');
    return { topup, image };
  }

  /**
   * Approves a top-up for the amount that arrived, in minor units of USDT. Throws `not_found`,
   * `invalid_transition`, `validation_failed`.
   */
  approve(tradeNo: string, actor: string, arrivedUsdtMinor: bigint): Promise<Topup> {
    return this.#move(tradeNo, actor, 'approved', async (_tx, order) => {
      const { amountMinor, usdMinor } = worth(arrivedUsdtMinor, order.currency, order);
      if (amountMinor <= 0n) throw fieldRefusal('amount', 'validation.amount');
      return { arrivedUsdtMinor, amountMinor, usdMinor };
    });
  }

  /** Credits the approved amount to available funds. Throws `not_found`, `invalid_transition`. */
  credit(tradeNo: string, actor: string): Promise<Topup> {
    return this.#move(tradeNo, actor, 'paid', async (tx, order) => {
      await post(tx, {
        type: 'topup',
        key: `topup:${tradeNo}`,
        subjectNo: tradeNo,
        currency: order.currency,
        entries: [
          { account: 'crypto', reference: order.network, amountMinor: -order.amountMinor },
          { account: 'available', amountMinor: order.amountMinor },
        ],
      });
      return {};
    });
  }

  /** Rejects a top-up; the merchant sees the reason. Throws `not_found`, `invalid_transition`. */
  reject(tradeNo: string, actor: string, rejectReason: string): Promise<Topup> {
    return this.#move(tradeNo, actor, 'rejected', async () => ({ rejectReason }));
  }

  async #move(
    tradeNo: string,
    actor: string,
    to: Exclude<TopupStatus, 'pendingReview'>,
    work: (tx: MerchantTx, order: Topup) => Promise<Finding>,
  ): Promise<Topup> {
    const merchantId = await this.#database.asSystem((tx) => findMerchantOf(tx, 'topup', tradeNo));
    if (merchantId === undefined) throw new Refusal('not_found');
    return this.#database.asMerchant(merchantId, async (tx) => {
      const order = await findTopup(tx, tradeNo, { isHeld: true });
      if (!order) throw new Refusal('not_found');
      const status = { values: { status: `topups.status.${order.status}` } } as const;
      if (!canMove(topupMoves, order.status, to)) throw new Refusal('invalid_transition', status);
      const found = await work(tx, order);
      const moved = await moveTopup(tx, order, to, found);
      if (!moved) throw new Refusal('invalid_transition', status);
      const { amountMinor, arrivedUsdtMinor, rejectReason } = moved;
      const after = {
        amountMinor: String(amountMinor),
        rejectReason,
        arrivedUsdtMinor: arrivedUsdtMinor === null ? null : String(arrivedUsdtMinor),
      };
      await writeAudit(tx, { merchantId, actor, action: `topup.${to}`, subject: tradeNo, after });
      const kind = noticeOf[to];
      if (kind) await writeNotice(tx, { merchantId, kind, subject: tradeNo, facts: moneyFacts(moved) });
      tx.changed(merchantId, 'topups', 'account');
      return moved;
    });
  }

  /** Lists the newest wallet of each network. */
  wallets() {
    return this.#database.asSystem((tx) => listWallets(tx));
  }

  /**
   * Sets the wallet of a network, from now on. Throws `validation_failed` if the address is invalid on the
   * network.
   */
  async setWallet(wallet: Wallet, actor: string): Promise<void> {
    const fault = addressFault(wallet.network, wallet.address);
    if (fault === 'checksum') throw fieldRefusal('address', 'validation.addressChecksum');
    if (fault) throw fieldRefusal('address', 'validation.address');
    await this.#writeWallet({ ...wallet, isOpen: true }, actor);
  }

  /** Closes a network for new top-ups. Throws `not_found` if it never had a wallet. */
  async closeWallet(network: Wallet['network'], actor: string): Promise<void> {
    const wallet = (await this.wallets()).find((one) => one.network === network);
    if (!wallet) throw new Refusal('not_found');
    await this.#writeWallet({ ...wallet, isOpen: false }, actor);
  }

  async #writeWallet(wallet: Wallet & { isOpen: boolean }, actor: string): Promise<void> {
    const { network, address, minimumUsdtMinor, isOpen } = wallet;
    const after = { address, isOpen, minimumUsdtMinor: String(minimumUsdtMinor) };
    await this.#database.asSystem(async (tx) => {
      await insertWallet(tx, wallet);
      await writeAudit(tx, {
        merchantId: null,
        actor,
        action: 'deposit_wallet.set',
        subject: network,
        after,
      });
    });
  }
}
