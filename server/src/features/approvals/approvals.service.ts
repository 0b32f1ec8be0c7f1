import { isDeepStrictEqual } from 'node:util';
import type { ApprovalKind, ApproveRequest, Exclusion, ShownMark } from '@hengfu/contract/approvals';
import type { Database, MerchantTx } from '#db/database.ts';
import { readActiveGrant } from '#domain/active-roles.sql.ts';
import type { RequestEnd } from '#domain/approvals.sql.ts';
import { auditPerson, writeAudit } from '#domain/audit.sql.ts';
import type { Authorize, Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import {
  assertMayDecide,
  assertMayWithdraw,
  assertWaiting,
  decideWithProof,
  expireDue,
} from '#domain/request-decisions.ts';
import { assertMayBegin, lockStanding } from '#domain/standing.sql.ts';
import { notifyRequester } from './access/requester-notice.ts';
import { type EffectsByKind, heldOf, isChangeKind, subjectOf } from './approvals.effects.ts';
import { isSatisfied, mayApprove, rulesOf } from './approvals.rules.ts';
import {
  type ApprovalRequest,
  endRequest,
  insertDecision,
  isChange,
  type LockedRequest,
  listApprovers,
  listDue,
  listWaiting,
  lockRequest,
} from './approvals.sql.ts';
import { mayKnowKeyOf } from './approvers.sql.ts';
import { insertExclusions } from './exclusions.sql.ts';

interface ApprovalOptions {
  database: Database;
  authorize: Authorize;
  effects: EffectsByKind;
}

/**
 * Decides requests. A request is locked first, then its order. Nobody decides their own request, and every approval
 * needs the payment password and the second factor.
 */
export class ApprovalService {
  readonly #options: ApprovalOptions;

  constructor(options: ApprovalOptions) {
    this.#options = options;
  }

  /**
   * Approves a request on behalf of a person. With the last approval that its rules ask for, what it asks for is done in the same
   * transaction. `seen` are the marks that the person was shown; `excluded` are rows of a batch that are rejected instead. Throws `not_found`, `invalid_transition`,
   * `not_approver`, `own_request`, `already_decided`, `approval_changed`, `two_factor_required`, `too_many_attempts`,
   * `validation_failed`, `merchant_suspended`, `unauthenticated`.
   */
  async approve(
    person: Person,
    request: RequestInfo,
    requestNo: string,
    { seen, excluded, payment_password: password, code }: ApproveRequest,
  ): Promise<void> {
    await decideWithProof<MerchantTx, LockedRequest>({
      hold: (work) => this.#run(person, requestNo, work),
      assertMay: (tx, asked) => this.#assertMayDecide(tx, person, asked),
      prove: () => this.#authorize(person, { password, code }),
      decide: (tx, asked) => this.#approve(tx, asked, { person, request, seen, excluded }),
    });
  }

  /**
   * Approves several requests for orders, each in a transaction of its own. Returns why each of the others was not approved. A change of
   * settings has to be opened first.
   */
  async approveMany(
    person: Person,
    request: RequestInfo,
    requestNos: readonly string[],
    { password, code }: { password: string; code: string | undefined },
  ): Promise<{ requestNo: string; refusal: Refusal | undefined }[]> {
    await this.#authorize(person, { password, code });
    const outcomes: { requestNo: string; refusal: Refusal | undefined }[] = [];
    for (const requestNo of new Set(requestNos)) {
      try {
        await this.#run(person, requestNo, async (tx, asked) => {
          await this.#assertMayDecide(tx, person, asked);
          if (isChangeKind(asked.kind)) throw new Refusal('open_first');
          await this.#approve(tx, asked, { person, request, seen: [], excluded: [] });
        });
        outcomes.push({ requestNo, refusal: undefined });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        outcomes.push({ requestNo, refusal: error });
      }
    }
    return outcomes;
  }

  /** Refuses a request, with a reason. One refusal is enough. Throws what {@link approve} throws without a password. */
  refuse(person: Person, request: RequestInfo, requestNo: string, reason: string): Promise<void> {
    return this.#run(person, requestNo, async (tx, asked) => {
      await this.#assertMayDecide(tx, person, asked);
      // Somebody who has approved may have second thoughts: the refusal counts.
      await insertDecision(tx, asked, { userId: person.userId, verdict: 'refused', reason });
      await this.#end(tx, asked, { state: 'refused', reason }, `user:${person.userId}`);
      await auditPerson(tx, person, request, 'approval.refuse', {
        subject: subjectOf(asked),
        after: { requestNo, reason },
      });
    });
  }

  /** Withdraws a person's own request, which is `only` of one kind if that is given. Throws `not_found`, `invalid_transition`, `forbidden`. */
  withdraw(person: Person, request: RequestInfo, requestNo: string, only?: ApprovalKind): Promise<void> {
    return this.#run(person, requestNo, async (tx, asked) => {
      if (only !== undefined && asked.kind !== only) throw new Refusal('not_found');
      const by = `user:${person.userId}`;
      assertMayWithdraw(heldOf(asked), by);
      await this.#end(tx, asked, { state: 'withdrawn', reason: null }, by);
      await auditPerson(tx, person, request, 'approval.withdraw', {
        subject: subjectOf(asked),
        after: { requestNo },
      });
    });
  }

  /** Lists a merchant's requests that wait, newest first, for operators. */
  waitingOf(merchantId: bigint): Promise<ApprovalRequest[]> {
    return this.#options.database.asSystemFor(merchantId, listWaiting);
  }

  /** Refuses a request on behalf of an operator. Throws `not_found`, `invalid_transition`. */
  refuseFor(merchantId: bigint, requestNo: string, actor: string, reason: string): Promise<void> {
    return this.#options.database.asSystemFor(merchantId, async (tx) => {
      if (await isChange(tx, requestNo)) await lockStanding(tx, merchantId);
      const asked = await lockRequest(tx, requestNo);
      if (!asked) throw new Refusal('not_found');
      assertWaiting(heldOf(asked));
      await this.#end(tx, asked, { state: 'refused', reason }, actor);
      const after = { requestNo, reason };
      await writeAudit(tx, {
        merchantId,
        actor,
        action: 'approval.refuse',
        subject: subjectOf(asked),
        after,
      });
    });
  }

  /** Ends the requests whose time is over. Returns how many. */
  expire(): Promise<number> {
    return expireDue(
      (limit) => this.#options.database.asSystem((tx) => listDue(tx, limit)),
      ({ merchantId, requestNo }) => this.#expireOne(merchantId, requestNo),
    );
  }

  async #expireOne(merchantId: bigint, requestNo: string): Promise<void> {
    await this.#options.database.asSystemFor(merchantId, async (tx) => {
      if (await isChange(tx, requestNo)) await lockStanding(tx, merchantId);
      const asked = await lockRequest(tx, requestNo);
      // Somebody has decided it since it was listed.
      if (asked?.state !== 'waiting') return;
      await this.#end(tx, asked, { state: 'expired', reason: null }, null);
      const subject = subjectOf(asked);
      const row = { merchantId, actor: 'job:approvals.expire', subject, after: { requestNo } };
      await writeAudit(tx, { ...row, action: 'approval.expire' });
    });
  }

  /** Finds what an approver has to know about a request; nothing if it does not wait. */
  async marks(tx: MerchantTx, { kind, state, subject_no }: ApprovalRequest): Promise<ShownMark[]> {
    if (isChangeKind(kind) || state !== 'waiting' || subject_no === null) return [];
    return this.#options.effects[kind].marks(tx, subject_no);
  }

  /** Counts the rows of the order that an approver can exclude; null if it has none. */
  async countRows(tx: MerchantTx, { kind, subject_no }: ApprovalRequest): Promise<number | null> {
    if (isChangeKind(kind) || subject_no === null) return null;
    return (await this.#options.effects[kind].countRows?.(tx, subject_no)) ?? null;
  }

  /** Whether an approver can see all of an order. */
  async #isReady(tx: MerchantTx, { kind, subject_no }: ApprovalRequest): Promise<boolean> {
    if (isChangeKind(kind) || subject_no === null) return true;
    return (await this.#options.effects[kind].isReady?.(tx, subject_no)) ?? true;
  }

  /** Counts a person's approval of a request, which is fulfilled with the last one that its rules ask for. */
  async #approve(
    tx: MerchantTx,
    asked: LockedRequest,
    {
      person,
      request,
      seen,
      excluded,
    }: { person: Person; request: RequestInfo } & Pick<ApproveRequest, 'seen' | 'excluded'>,
  ): Promise<void> {
    if (!(await this.#isReady(tx, asked))) throw new Refusal('not_ready');
    const marks = await this.marks(tx, asked);
    if (marks.some((mark) => !seen.some((shown) => isDeepStrictEqual(shown, mark))))
      throw new Refusal('approval_changed');
    const isNew = await insertDecision(tx, asked, {
      userId: person.userId,
      verdict: 'approved',
      reason: null,
    });
    await this.#exclude(tx, person, asked, excluded);
    const isDone = isSatisfied(rulesOf(asked), await listApprovers(tx, asked));
    // A repeated approval counts once, yet may find that earlier ones count again.
    if (!(isNew || isDone)) throw new Refusal('already_decided');
    if (isDone) await this.#fulfil(tx, asked, `user:${person.userId}`);
    await auditPerson(tx, person, request, 'approval.approve', {
      subject: subjectOf(asked),
      after: {
        requestNo: asked.request_no,
        marks: marks.map(({ mark }) => mark),
        isDone,
        ...(excluded.length > 0 && { excluded }),
      },
    });
    tx.changed(tx.merchantId, 'approvals');
  }

  /** Records the rows that a person excludes. Throws `validation_failed` unless each is a row of the order. */
  async #exclude(
    tx: MerchantTx,
    { userId }: Person,
    asked: ApprovalRequest,
    excluded: readonly Exclusion[],
  ): Promise<void> {
    if (excluded.length === 0) return;
    const rows = (await this.countRows(tx, asked)) ?? 0;
    if (excluded.some(({ line }) => line > rows)) throw fieldRefusal('excluded', 'validation.choice');
    await insertExclusions(tx, asked, { userId, excluded });
  }

  async #fulfil(tx: MerchantTx, asked: ApprovalRequest, by: string): Promise<void> {
    const { effects } = this.#options;
    await endRequest(tx, asked, { state: 'approved', by, reason: null });
    if (isChangeKind(asked.kind)) await effects[asked.kind].approved(tx, asked);
    else await effects[asked.kind].approved(tx, asked.subject_no ?? '');
    await notifyRequester(tx, asked, { state: 'approved', reason: null });
  }

  async #end(tx: MerchantTx, asked: ApprovalRequest, end: RequestEnd, by: string | null): Promise<void> {
    await endRequest(tx, asked, { ...end, by });
    const { effects } = this.#options;
    if (isChangeKind(asked.kind)) await effects[asked.kind].ended(tx, asked, end);
    else await effects[asked.kind].ended(tx, asked.subject_no ?? '', end);
    await notifyRequester(tx, asked, end);
    tx.changed(tx.merchantId, 'approvals');
  }

  /** Checks payment password and second factor; both are a must. */
  async #authorize(person: Person, shown: { password: string; code: string | undefined }): Promise<void> {
    if (person.twoFactor !== 'on') throw new Refusal('two_factor_required');
    await this.#options.authorize(person, shown);
  }

  /**
   * Throws unless the person may decide a request now. Roles are those of this moment: they cannot change before the transaction
   * ends, because it holds the merchant's standing.
   */
  async #assertMayDecide(tx: MerchantTx, { userId }: Person, asked: LockedRequest): Promise<void> {
    const grant = await readActiveGrant(tx, userId);
    const decider = {
      actor: `user:${userId}`,
      // A person who knows the key may have asked with it.
      mayHaveAsked: await mayKnowKeyOf(tx, asked, { userId, ...grant }),
      isEntitled: mayApprove(rulesOf(asked), { userId: String(userId), ...grant }),
    };
    assertMayDecide(heldOf(asked), decider, 'not_approver');
  }

  /** Runs work on a request that is locked, with the standing of its merchant and of the person held. */
  #run<T>(
    { userId, home: { merchantId } }: Person,
    requestNo: string,
    work: (tx: MerchantTx, asked: LockedRequest) => Promise<T>,
  ): Promise<T> {
    return this.#options.database.asSystemFor(merchantId, async (tx) => {
      // Changes of settings follow one another, as they do without approval.
      if (await isChange(tx, requestNo)) await lockStanding(tx, merchantId);
      await assertMayBegin(tx, 'approval', userId);
      const asked = await lockRequest(tx, requestNo);
      if (!asked) throw new Refusal('not_found');
      return work(tx, asked);
    });
  }
}
