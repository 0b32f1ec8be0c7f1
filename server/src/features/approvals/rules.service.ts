import { isDeepStrictEqual } from 'node:util';
import { isSettingKind, type SetRules } from '@hengfu/contract/approval-rules';
import { type Currency, parseAmount } from '@hengfu/contract/money';
import type { Database, MerchantTx, Tx } from '#db/database.ts';
import { readActiveGrant } from '#domain/active-roles.sql.ts';
import { askForChange, type ChangeEffects, type ChangeRequest } from '#domain/approvals.sql.ts';
import { auditPerson, writeAudit } from '#domain/audit.sql.ts';
import type { Authorize, Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { assertRulesStaffed } from '#domain/rule-staffing.sql.ts';
import { assertMayBegin, lockStanding } from '#domain/standing.sql.ts';
import { versionOf } from '#domain/version.ts';
import { deleteOldSums, findWaitingChange, type RulesChange, type StoredRules } from './approvals.sql.ts';
import {
  countEarlier,
  listPossible,
  listRules,
  readDays,
  readEmails,
  replaceRules,
  type StoredRule,
  updateDays,
} from './rules.sql.ts';

const sumsAtOnce = 1000;

/** The rules of a merchant, with the people whom they name or could name. */
export interface RulesWithPeople extends StoredRules {
  people: { id: string; name: string; isActive: boolean }[];
  /** Number of the change that waits for approval. */
  waiting: string | undefined;
  /** Differs for other rules. */
  version: string;
}

/**
 * The rules that ask for approval. The first ones apply at once; from then on, a change is a request that every current rule
 * has to approve.
 */
export class ApprovalRuleService {
  readonly #database: Database;
  readonly #authorize: Authorize;

  constructor(database: Database, authorize: Authorize) {
    this.#database = database;
    this.#authorize = authorize;
  }

  read(merchantId: bigint): Promise<RulesWithPeople> {
    return this.#database.asMerchant(merchantId, async (tx) => {
      const stored = await readAll(tx);
      return {
        ...stored,
        people: await listPossible(tx),
        waiting: await findWaitingChange(tx),
        version: versionOf(stored),
      };
    });
  }

  /** Returns the email addresses of the people whom the rules name, by their IDs. */
  emails(merchantId: bigint): Promise<ReadonlyMap<string, string>> {
    return this.#database.asMerchant(merchantId, readEmails);
  }

  /**
   * Sets all rules at once. Returns the number of the request, if the change needs approval. Throws `approvers_missing`,
   * `conflict` if the rules are no longer those of the version that was changed, `request_waiting` while another change waits, `validation_failed`, `two_factor_required`, `too_many_attempts`.
   */
  async set(person: Person, request: RequestInfo, given: SetRules): Promise<string | undefined> {
    const { home, userId } = person;
    const after = { rules: rulesOf(given, home.currency), days: given.days };
    if (person.twoFactor !== 'on') throw new Refusal('two_factor_required');
    await this.#authorize(person, { password: given.payment_password, code: given.code });
    return this.#database.asSystemFor(home.merchantId, async (tx) => {
      await lockStanding(tx, home.merchantId);
      await assertMayBegin(tx, 'approval', userId);
      const before = await readAll(tx);
      if (given.version !== undefined && given.version !== versionOf(before)) throw new Refusal('conflict');
      if (before.rules.length === 0) {
        await apply(tx, { before, after, by: `user:${userId}`, without: userId });
        await auditPerson(tx, person, request, 'approval.rules', { before, after });
        return undefined;
      }
      if (await findWaitingChange(tx)) throw new Refusal('request_waiting');
      await assertRulesStaffed(tx, home.merchantId, { rules: after.rules, without: userId });
      const requester = `user:${userId}`;
      const change = { before, after };
      const asked = { kind: 'rules', change, target: null, requester, ruleKind: null } as const;
      const requestNo = await askForChange(tx, home.merchantId, asked);
      await auditPerson(tx, person, request, 'approval.rules_asked', {
        ...(requestNo !== undefined && { subject: requestNo }),
        before,
        after,
      });
      return requestNo;
    });
  }

  /** Sets all rules at once on behalf of an operator, without approval: for a merchant that has lost its approvers. */
  async setFor(merchantId: bigint, actor: string, after: StoredRules): Promise<void> {
    await this.#database.asSystemFor(merchantId, async (tx) => {
      await lockStanding(tx, merchantId);
      const before = await readAll(tx);
      await apply(tx, { before, after, by: actor });
      await writeAudit(tx, { merchantId, actor, action: 'approval.rules', before, after });
    });
  }

  /** Deletes sums that no comparison reads any more. */
  sweep(tx: Tx): Promise<number> {
    return deleteOldSums(tx, sumsAtOnce);
  }

  /** The effects of a request for a change of the rules. */
  readonly effects: ChangeEffects = {
    approved: (tx, asked) => this.#applyRequest(tx, asked),
    ended: async () => undefined,
  };

  /** Applies a change that was approved. Throws `conflict` if the rules are not those that it was made for. */
  async #applyRequest(
    tx: MerchantTx,
    { change: given, request_no, requested_by }: ChangeRequest,
  ): Promise<void> {
    const change = given as RulesChange;
    const { merchantId } = tx;
    const now = await readAll(tx);
    if (!isDeepStrictEqual(now, change.before)) throw new Refusal('conflict');
    const without = BigInt(requested_by.replace(/^user:/, ''));
    // The person who asked must still be allowed to.
    if (!(await readActiveGrant(tx, without)).perms.includes('approvals.manage'))
      throw new Refusal('conflict');
    await apply(tx, { before: now, after: change.after, by: requested_by, without });
    const { before, after } = change;
    const row = { merchantId, actor: requested_by, subject: request_no, before, after };
    await writeAudit(tx, { ...row, action: 'approval.rules' });
  }
}

async function readAll(tx: MerchantTx): Promise<StoredRules> {
  return { rules: await listRules(tx), days: await readDays(tx) };
}

async function apply(
  tx: MerchantTx,
  { before, after, by, without }: { before: StoredRules; after: StoredRules; by: string; without?: bigint },
): Promise<void> {
  const covered = new Set(before.rules.map(({ kind }) => kind));
  await replaceRules(tx, after.rules, by);
  await updateDays(tx, after.days);
  for (const kind of new Set(after.rules.map(({ kind }) => kind)))
    if (!(covered.has(kind) || isSettingKind(kind))) await countEarlier(tx, kind);
  await assertRulesStaffed(tx, tx.merchantId, without === undefined ? {} : { without });
  tx.changed(tx.merchantId, 'approvals');
}

/** Parses rules as a person gave them. Throws `validation_failed` on `rules`. */
function rulesOf({ rules }: Pick<SetRules, 'rules'>, currency: Currency): StoredRule[] {
  const seen = new Set<string>();
  const parsed = rules.map(({ kind, amount, approvers, roles, people }, index) => {
    const amountMinor = parseAmount(amount, currency);
    // Settings have no amount.
    if (amountMinor === undefined || (isSettingKind(kind) && amountMinor !== 0n))
      throw fieldRefusal(`rules.${index}.amount`, 'validation.amount');
    const key = `${kind} ${amountMinor}`;
    if (seen.has(key)) throw fieldRefusal(`rules.${index}.amount`, 'validation.ruleTwice');
    seen.add(key);
    return {
      kind,
      amountMinor: String(amountMinor),
      approvers,
      roles: [...roles],
      people: [...new Set(people)],
    };
  });
  return parsed.toSorted((one, other) => {
    if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1;
    return Number(BigInt(one.amountMinor) - BigInt(other.amountMinor));
  });
}
