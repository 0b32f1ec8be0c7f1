import { type Currency, formatAmount } from '@hengfu/contract/money';
import type { Database } from '#db/database.ts';
import { databaseFault } from '#db/pool.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { newTradeNo } from '#domain/orders.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { post } from '#ledger/ledger.ts';
import { findPostedSide, forMerchant } from './funds-transfer.sql.ts';

/** A transfer of funds between merchants, made by an operator. */
export interface FundsTransfer {
  from: { id: bigint; currency: Currency };
  to: { id: bigint; currency: Currency };
  amountMinor: bigint;
  /** Idempotency key of the two merchants: the same transfer under the same key is made once, another one is refused. */
  key: string;
  note?: string | undefined;
}

/** Transfers funds between merchants of the same currency, for operators. */
export class FundsTransferService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws `validation_failed` for a transfer that can never be made. */
  check({ from, to, amountMinor }: FundsTransfer): void {
    if (from.currency !== to.currency || from.id === to.id)
      throw fieldRefusal('to', 'validation.currencyNotHome', { currency: from.currency });
    if (amountMinor <= 0n) throw fieldRefusal('amount', 'validation.amount');
  }

  /**
   * Returns the number of the transfer that was made under the same key before; undefined if none was. Throws `idempotency_key_reused` if it
   * differs from the given one, or is too old to be compared.
   */
  async findEarlier({ from, to, amountMinor, key, note }: FundsTransfer): Promise<string | undefined> {
    const [sent, received] = await this.#database.asSystemFor(
      from.id,
      async (tx) => [
        await findPostedSide(tx, 'funds_transfer_out', ledgerKey('funds_transfer_out', key)),
        await findPostedSide(
          await forMerchant(tx, to.id),
          'funds_transfer_in',
          ledgerKey('funds_transfer_in', key),
        ),
      ],
      // One side alone would look like another transfer.
      { snapshot: true },
    );
    const earlier = sent ?? received;
    if (!earlier) return undefined;
    const { number } = earlier;
    const isSame =
      sent?.number === received?.number &&
      sent?.details?.amount === formatAmount(amountMinor, from.currency) &&
      sent.details.note === note;
    if (!isSame) throw new Refusal('idempotency_key_reused', { values: { number } });
    return number;
  }

  /**
   * Moves funds in one transaction. Returns the transfer's number, that of the first one if it is repeated under its key. Throws
   * `insufficient_funds`, `idempotency_key_reused`, `validation_failed`.
   */
  async transfer(given: FundsTransfer, actor: string): Promise<string> {
    this.check(given);
    const earlier = await this.findEarlier(given);
    if (earlier !== undefined) return earlier;
    const { from, to, amountMinor, key, note } = given;
    try {
      return await this.#database.asSystemFor(from.id, async (tx) => {
        const number = await newTradeNo(tx, 'F');
        const sides = [
          { merchantId: from.id, type: 'funds_transfer_out', sign: -1n },
          { merchantId: to.id, type: 'funds_transfer_in', sign: 1n },
        ] as const;
        // Opposite transfers lock the accounts in the same order, so they can't deadlock.
        for (const side of sides.toSorted((one, other) => (one.merchantId < other.merchantId ? -1 : 1))) {
          const own = await forMerchant(tx, side.merchantId);
          await post(own, {
            type: side.type,
            key: ledgerKey(side.type, key),
            subjectNo: number,
            currency: from.currency,
            entries: [
              { account: 'available', amountMinor: side.sign * amountMinor },
              { account: 'adjustments', amountMinor: -side.sign * amountMinor },
            ],
          });
          await writeAudit(tx, {
            merchantId: side.merchantId,
            actor,
            action: `funds.${side.type}`,
            subject: number,
            after: { amount: formatAmount(amountMinor, from.currency), currency: from.currency, note },
          });
          tx.changed(side.merchantId, 'account');
        }
        return number;
      });
    } catch (error) {
      if (databaseFault(error)?.constraint !== 'ledger_transfer_once') throw error;
      // Made at the same time under the same key.
      const first = await this.findEarlier(given);
      if (first === undefined) throw error;
      return first;
    }
  }
}

/** The ledger's idempotency key of one side. */
const ledgerKey = (type: 'funds_transfer_out' | 'funds_transfer_in', key: string) => `${type}:${key}`;
