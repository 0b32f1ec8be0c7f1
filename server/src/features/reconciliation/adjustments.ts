import { formatAmount } from '@hengfu/contract/money';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import type { StaffEffects, StaffRequests } from '#domain/staff-requests.sql.ts';
import { post } from '#ledger/ledger.ts';
import {
  decideDifference,
  findDifference,
  findMerchantByCode,
  type ListedDifference,
} from './differences.sql.ts';
import { lockStatement, type Statement } from './statements.sql.ts';

/** An adjustment as two people agree on it: the difference, and theirs less ours in minor units. */
interface Adjustment {
  differenceId: string;
  amountMinor: string;
  note: string;
}

/** A member of our staff in a request. */
type Actor = Exclude<ServiceActor, string>;

const asText = (minor: bigint | null, { currency }: Statement) =>
  minor === null ? null : `${formatAmount(minor, currency)} ${currency}`;

/** Asks for postings that make a clearing account agree with the statement. */
export class Adjustments {
  readonly #database: Database;
  readonly #requests: StaffRequests;

  constructor(database: Database, requests: StaffRequests) {
    this.#database = database;
    this.#requests = requests;
  }

  /**
   * Asks for an adjustment, which a second person has to approve; returns the ID of the request. Where no order is known, the merchant
   * concerned is named by its code. Throws `not_found`, `day_closed`, `day_running`, `invalid_transition`, and `request_waiting`.
   */
  async ask(
    id: bigint,
    { note, merchant }: { note: string; merchant: string | undefined },
    by: Actor,
  ): Promise<bigint | undefined> {
    const { statement, difference, merchantId } = await this.#database.asSystem(async (tx) => {
      const difference = await findDifference(tx, id);
      const statement = difference && (await lockStatement(tx, difference.statementId));
      if (!difference || !statement) throw new Refusal('not_found');
      assertAdjustable(statement, difference);
      const merchantId =
        difference.merchantId ?? (merchant ? await findMerchantByCode(tx, merchant) : undefined);
      if (merchantId === undefined) throw fieldRefusal('merchant', 'officeReconciliation.merchantRequired');
      return { statement, difference, merchantId };
    });
    const { channel, day } = statement;
    const amountMinor = deltaOf(difference);
    const change: Adjustment = { differenceId: String(id), amountMinor: String(amountMinor), note };
    return this.#requests.ask(
      {
        kind: 'adjustment',
        merchantId,
        subject: `${channel} ${day} ${id}`,
        change,
        facts: [
          { name: 'channel', before: null, after: channel },
          { name: 'day', before: null, after: day },
          { name: 'reference', before: null, after: difference.reference },
          {
            name: 'moved',
            before: asText(difference.oursMinor, statement),
            after: asText(difference.theirsMinor, statement),
          },
          { name: 'amount', before: null, after: asText(amountMinor, statement) },
        ],
        reason: note,
      },
      by,
    );
  }
}

/** Posts an adjustment once the second person agrees. Until then, the difference waits. */
export const adjustmentEffects: StaffEffects = {
  async onAsked(tx, { change, requestedBy }) {
    const found = await lockDifference(tx, change as Adjustment);
    if (!found?.isAsAgreed) throw new Refusal('conflict');
    const { id, note, statement, difference } = found;
    assertAdjustable(statement, difference);
    const [, staffId] = /^staff:(\d+)$/.exec(requestedBy) ?? [];
    await decideDifference(tx, id, { state: 'waiting', note, staffId: staffId ? BigInt(staffId) : null });
  },
  async perform(tx, { change }, by) {
    const found = await lockDifference(tx, change as Adjustment);
    // Somebody may have explained it since, or noted what it waits for, which an adjustment would overwrite.
    const isLeftAlone = found?.difference.state === 'waiting' && found.difference.note === found.note;
    if (!found?.isAsAgreed || !isLeftAlone) throw new Refusal('approval_changed');
    const { id, note, statement, difference } = found;
    // A later statement may have found the order, at another merchant than the one that was named.
    if (difference.merchantId !== null && difference.merchantId !== (tx as MerchantTx).merchantId)
      throw new Refusal('approval_changed');
    assertAdjustable(statement, difference);
    const { channel, day, currency } = statement;
    const amountMinor = deltaOf(difference);
    await post(tx as MerchantTx, {
      type: 'adjustment',
      key: `adjustment:${id}`,
      subjectNo: difference.orderNo ?? (difference.reference || `${channel} ${day}`),
      currency,
      // Money that came in at the channel takes away from clearing.
      entries: [
        { account: 'clearing', reference: channel, amountMinor: -amountMinor },
        { account: 'adjustments', amountMinor },
      ],
    });
    const staffId = typeof by === 'string' ? null : by.member.staffId;
    await decideDifference(tx, id, { state: 'adjusted', note, staffId });
    await writeAudit(tx, {
      merchantId: null,
      ...fieldsOfActor(by),
      action: 'reconciliation.adjust',
      subject: `${channel} ${day}`,
      before: { difference: String(id), state: difference.state },
      after: { state: 'adjusted', amountMinor: String(amountMinor), note },
    });
  },
};

/**
 * Reads the difference of an adjustment under the lock of its statement, which every matching takes. Undefined if it has gone. `isAsAgreed`:
 * whether both amounts still differ by what was asked for.
 */
async function lockDifference(tx: Tx, { differenceId, amountMinor, note }: Adjustment) {
  const id = BigInt(differenceId);
  const found = await findDifference(tx, id);
  const statement = found && (await lockStatement(tx, found.statementId));
  const difference = statement && (await findDifference(tx, id));
  return (
    difference && { id, note, statement, difference, isAsAgreed: String(deltaOf(difference)) === amountMinor }
  );
}

/** Theirs less ours, in minor units. */
const deltaOf = ({ theirsMinor, oursMinor }: ListedDifference) => (theirsMinor ?? 0n) - (oursMinor ?? 0n);

/**
 * A movement that both sides have on different days adds up to nothing over both days. While a day runs, its movements are still arriving: one that
 * was adjusted would be posted a second time when the channel reports it.
 */
function assertAdjustable({ state, isOver }: Statement, difference: ListedDifference): void {
  if (state === 'closed') throw new Refusal('day_closed');
  if (!isOver) throw new Refusal('day_running');
  if (difference.state === 'adjusted' || difference.kind === 'otherDay')
    throw new Refusal('invalid_transition', {
      values: { status: `officeReconciliation.decision.${difference.state}` },
    });
}
