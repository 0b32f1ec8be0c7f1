import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { StaffProof } from '@hengfu/contract/staff/passkeys';
import { staffPermsOf, staffRoles } from '@hengfu/contract/staff/permissions';
import { fourEyes, type StaffRequestKind, type StaffRequestState } from '@hengfu/contract/staff/requests';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import { nameOfActor, type RequestInfo, type ServiceActor, type StaffMember } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  assertMayDecide,
  assertMayWithdraw,
  type Decider,
  decideWithProof,
  expireDue,
} from '#domain/request-decisions.ts';
import { lockAccounts } from '#domain/staff-accounts-lock.sql.ts';
import type {
  AskedAction,
  AskOptions,
  RaisedAlert,
  StaffEffects,
  StaffEffectsByKind,
  StaffQuestion,
  StaffRequests,
} from '#domain/staff-requests.sql.ts';
import {
  confirmAlert,
  endRequest,
  findRequest,
  insertAlert,
  insertRefusedAlert,
  insertRequest,
  isAnyoneWith,
  listAlerts,
  listDue,
  listRequests,
  lockRequest,
  readActiveRoles,
  type ShownRequest,
  type StoredRequest,
} from './staff-requests.sql.ts';

export type { ShownRequest, StaffEffectsByKind };

interface Options {
  /** Works as `hengfu_staff`. */
  database: Database;
  /** Works as `hengfu_accounts`. */
  accountsDatabase: Database;
  /** The features are built after this service, which they need to ask. */
  effects: () => StaffEffectsByKind;
  /** Checks the second factor of somebody who has one. Throws a refusal that a form can show. */
  authorize: (member: StaffMember, proof: StaffProof, request: RequestInfo) => Promise<void>;
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockRequest>>>;

/** Makes sure that two people agree: one asks, another one approves. The database refuses an approval by the person who asked. */
export class StaffRequestService implements StaffRequests {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async ask(
    question: StaffQuestion,
    by: ServiceActor,
    { breakGlass, onAlert }: AskOptions = {},
  ): Promise<bigint | undefined> {
    const { kind, merchantId, subject, change, facts, reason } = question;
    const asked = { kind, merchantId, subject, change };
    if (typeof by === 'string') {
      if (breakGlass !== undefined) {
        const alert = await this.#alert(asked, by, breakGlass);
        await this.#within(asked, (tx) => this.#effectsOf(kind).perform(tx, asked, by)).catch(
          (error: unknown) => this.noteRefused(alert, error),
        );
        onAlert?.(alert);
        return undefined;
      }
      if (await this.#performIfNobody(asked, by)) return undefined;
    } else if (!by.member.perms.includes(fourEyes[kind])) throw new Refusal('forbidden');
    return this.#options.database.asSystem(async (tx) => {
      const requestedBy = nameOfActor(by);
      const id = await insertRequest(tx, { ...asked, facts: [...facts], reason, requestedBy });
      await this.#effectsOf(kind).onAsked?.(tx, { ...asked, id, requestedBy });
      const after = { request: String(id), kind, change };
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'staff_request.ask',
        subject,
        after,
      });
      return id;
    });
  }

  /**
   * Approves a request, and does what it asks for in the same transaction. Throws `not_found`, `forbidden`, `own_request`,
   * `approval_changed` if the one who asked has lost the permission, `invalid_transition`, `validation_failed` on `code` or `passkey`, `too_many_attempts`, and what the action throws.
   */
  async approve(member: StaffMember, request: RequestInfo, id: bigint, proof: StaffProof): Promise<void> {
    await decideWithProof<Tx, Locked>({
      hold: (work) => this.#decide(id, work),
      assertMay: async (_tx, asked) => assertMayDecide(asked, deciderOf(asked, member), 'forbidden'),
      prove: () => this.#options.authorize(member, proof, request),
      decide: (tx, asked) => this.#approve(tx, asked, { member, request }),
    });
  }

  async #approve(tx: Tx, asked: Locked, by: { member: StaffMember; request: RequestInfo }): Promise<void> {
    await lockAccounts(tx, { isChange: asked.kind === 'staffAccount' });
    // Somebody who has lost the permission since asks for nothing any more, and agrees to nothing.
    if (!(await mayStillAsk(tx, asked))) throw new Refusal('approval_changed');
    if (!(await holdsPerm(tx, by.member.staffId, asked))) throw new Refusal('forbidden');
    await endRequest(tx, asked.id, { state: 'approved', by: nameOfActor(by), reason: null });
    await this.#effectsOf(asked.kind).perform(tx, asked, by);
    await this.#audit(tx, asked, by, 'staff_request.approve', { requestedBy: asked.requestedBy });
  }

  /** Refuses a request, with a reason. Throws what {@link approve} throws without a code. */
  async refuse(member: StaffMember, request: RequestInfo, id: bigint, reason: string): Promise<void> {
    await this.#decide(id, async (tx, asked) => {
      assertMayDecide(asked, deciderOf(asked, member), 'forbidden');
      const by = { member, request };
      await endRequest(tx, id, { state: 'refused', by: nameOfActor(by), reason });
      await this.#audit(tx, asked, by, 'staff_request.refuse', { reason });
    });
  }

  /** Withdraws one's own request. Throws `not_found`, `forbidden`, `invalid_transition`. */
  async withdraw(by: ServiceActor, id: bigint): Promise<void> {
    await this.#decide(id, async (tx, asked) => {
      assertMayWithdraw(asked, nameOfActor(by));
      await endRequest(tx, id, { state: 'withdrawn', by: nameOfActor(by), reason: null });
      await this.#audit(tx, asked, by, 'staff_request.withdraw', {});
    });
  }

  /** Lists requests in one state, newest first, a page at a time. */
  list(state: StaffRequestState, before?: bigint): Promise<ShownRequest[]> {
    return this.#options.database.asSystem((tx) => listRequests(tx, { state, before }));
  }

  /** Returns one request. Throws `not_found`. */
  async find(id: bigint): Promise<ShownRequest> {
    const [found] = await this.#options.database.asSystem((tx) => listRequests(tx, { id }));
    if (!found) throw new Refusal('not_found');
    return found;
  }

  /** Lists the alerts that a person has not confirmed. */
  alerts({ staffId }: StaffMember) {
    return this.#options.database.asSystem((tx) => listAlerts(tx, staffId));
  }

  /** Confirms that a person has read an alert. Throws `not_found`. */
  async readAlert({ staffId }: StaffMember, id: bigint): Promise<void> {
    const isThere = await this.#options.database.asSystem((tx) => confirmAlert(tx, id, staffId));
    if (!isThere) throw new Refusal('not_found');
  }

  /** Ends the requests whose time is over. Returns how many. */
  expire(): Promise<number> {
    return expireDue(
      (limit) => this.#options.database.asSystem((tx) => listDue(tx, limit)),
      (id) =>
        this.#decide(id, async (tx, asked) => {
          // Somebody has decided it since it was listed.
          if (asked.state !== 'waiting') return;
          await endRequest(tx, id, { state: 'expired', by: null, reason: null });
          await this.#audit(tx, asked, 'job:staff_requests.expire', 'staff_request.expire', {});
        }),
    );
  }

  async noteRefused({ id, asked, actor }: RaisedAlert, error: unknown): Promise<never> {
    // Whatever else breaks a command off may have left something done.
    if (error instanceof Refusal) {
      const { kind, subject, merchantId } = asked;
      const after = { kind, refusal: error.code, merchant: merchantId === null ? null : String(merchantId) };
      await this.#options.database.asSystem(async (tx) => {
        await insertRefusedAlert(tx, id);
        const action = 'staff_request.alone_refused';
        await writeAudit(tx, { merchantId: null, actor, action, subject, after });
      });
    }
    throw error;
  }

  /**
   * Does what an operator asks for if nobody of our staff could approve it, as before the first account is created. Audits that nobody could.
   * Returns false if somebody can. No account is added meanwhile.
   */
  #performIfNobody(asked: AskedAction, actor: string): Promise<boolean> {
    const { kind, subject, merchantId } = asked;
    const roles = staffRoles.filter((role) => staffPermsOf([role]).includes(fourEyes[kind]));
    return this.#within(asked, async (tx) => {
      await lockAccounts(tx, { isChange: kind === 'staffAccount' });
      if (await isAnyoneWith(tx, roles)) return false;
      const after = { kind, merchant: merchantId === null ? null : String(merchantId) };
      await writeAudit(tx, { merchantId: null, actor, action: 'staff_request.nobody', subject, after });
      await this.#effectsOf(kind).perform(tx, asked, actor);
      return true;
    });
  }

  /** Tells all of our staff before an operator acts alone, so that an action that breaks off is known, too. */
  async #alert(asked: AskedAction, actor: string, reason: string): Promise<RaisedAlert> {
    const { kind, subject, merchantId } = asked;
    return this.#options.database.asSystem(async (tx) => {
      const id = await insertAlert(tx, { kind, actor, subject, reason });
      const after = { kind, reason, merchant: merchantId === null ? null : String(merchantId) };
      await writeAudit(tx, { merchantId: null, actor, action: 'staff_request.break_glass', subject, after });
      return { id, asked, actor };
    });
  }

  async #audit(
    tx: Tx,
    { id, kind, subject }: StoredRequest,
    by: ServiceActor,
    action: `staff_request.${'approve' | 'refuse' | 'withdraw' | 'expire'}`,
    details: AuditValues,
  ): Promise<void> {
    const after = { request: String(id), kind, ...details };
    await writeAudit(tx, { merchantId: null, ...fieldsOfActor(by), action, subject, after });
  }

  /** Runs work on a request that is locked. Throws `not_found`. */
  async #decide(id: bigint, work: (tx: Tx, asked: Locked) => Promise<void>): Promise<void> {
    const found = await this.#options.database.asSystem((tx) => findRequest(tx, id));
    if (!found) throw new Refusal('not_found');
    await this.#within(found, async (tx) => {
      const asked = await lockRequest(tx, id);
      if (!asked) throw new Refusal('not_found');
      await work(tx, asked);
    });
  }

  #within<T>({ kind, merchantId }: Pick<AskedAction, 'kind' | 'merchantId'>, work: (tx: Tx) => Promise<T>) {
    const { database, accountsDatabase } = this.#options;
    const used = this.#effectsOf(kind).database === 'accounts' ? accountsDatabase : database;
    return merchantId === null ? used.asSystem(work) : used.asMerchant(merchantId, work);
  }

  #effectsOf(kind: StaffRequestKind): StaffEffects {
    return this.#options.effects()[kind];
  }
}

/** A member of our staff who wants to decide a request: the permission of its kind is needed. */
export function deciderOf({ kind }: Pick<StoredRequest, 'kind'>, { staffId, perms }: StaffMember): Decider {
  return { actor: `staff:${staffId}`, isEntitled: perms.includes(fourEyes[kind]) };
}

/** Whether the one who asked, if it is a member of our staff, still holds the permission. */
async function mayStillAsk(tx: Tx, { kind, requestedBy }: StoredRequest): Promise<boolean> {
  const [, staffId] = /^staff:(\d+)$/.exec(requestedBy) ?? [];
  return staffId === undefined || holdsPerm(tx, BigInt(staffId), { kind });
}

/** Whether a member of our staff is active and holds the permission of a kind, by the accounts that the transaction has locked. */
async function holdsPerm(tx: Tx, staffId: bigint, { kind }: Pick<StoredRequest, 'kind'>): Promise<boolean> {
  return staffPermsOf(await readActiveRoles(tx, staffId)).includes(fourEyes[kind]);
}
