import { noGrant } from '@hengfu/contract/permissions';
import type { Acceptance } from '@hengfu/contract/team';
import type { Database, Tx } from '#db/database.ts';
import { insertAccount, lockAccount } from '#domain/accounts.sql.ts';
import { hasRules } from '#domain/approvals.sql.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { ownRolesAmong, type StoredRole } from '#domain/own-roles.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { assertMayBegin, lockStanding } from '#domain/standing.sql.ts';
import { clearTries, countOrRefuse, countTry } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { countTriedAccount, forgetTriedAccount } from '#domain/tried-accounts.sql.ts';
import { isFactorRequiredElsewhere } from '#domain/workplaces.sql.ts';
import { countWrongPassword, refuseLocked } from '#http/account-lock.sql.ts';
import { failuresPerMinute, sessionLife, triedAccountLimits } from '#http/session.rules.ts';
import { deleteSessionsOf, insertSession } from '#http/session.sql.ts';
import { markInvited } from '#http/session-merchant.sql.ts';
import { noteSignIn } from '#http/sign-ins.sql.ts';
import { addressGroup } from '#security/address-group.ts';
import { isCommonPassword } from '#security/common-passwords.ts';
import { hashPassword, isPasswordOf } from '#security/passwords.ts';
import { hashToken, merchantOf } from './invitation-token.ts';
import {
  acceptInvitation,
  findLinked,
  type LinkedAccount,
  type LinkedInvitation,
} from './invitations.sql.ts';
import { mayInvite, ruleKindOf } from './member-changes.ts';
import { addMember, findMember } from './team.sql.ts';

const minuteSeconds = 60;
const hourSeconds = 3600;
/** Refused uses of one link that are recorded within an hour. */
const recordedRefusals = 5;
/** Refusals of an acceptance that are not recorded: a slip of the pen, or too many calls. */
const unrecorded: readonly string[] = ['validation_failed', 'too_many_requests'];

/** Use cases of an invited person, who has nothing but the link. */
export class AcceptanceService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Reads the invitation behind a link, with those of its roles that the merchant has made. Throws `not_found`, `link_expired`,
   * `link_revoked`, `link_used`.
   */
  async read(token: string): Promise<LinkedInvitation & { ownRoles: StoredRole[] }> {
    const found = await this.#find(token);
    assertOpen(found);
    const { merchantId, roles } = found;
    const ownRoles = await this.#database.asSystem((tx) => ownRolesAmong(tx, merchantId, roles));
    return { ...found, ownRoles };
  }

  /**
   * Accepts an invitation: with a new account, or with an existing one that shows its password here and may work for other
   * merchants, too. The person is signed in, unless the browser has a session or a second factor has to follow. Returns the ID of
   * the person who is signed in; undefined if none is. Refused uses of a known link are recorded. Throws what {@link read}
   * throws, `validation_failed`, `too_many_attempts`, `already_signed_in`, `merchant_suspended`, `link_waiting`, `conflict`.
   */
  async accept(
    token: string,
    given: Acceptance,
    request: RequestInfo,
    browser: AcceptingBrowser,
  ): Promise<bigint | undefined> {
    const found = await this.#find(token);
    try {
      assertOpen(found);
      const account = found.account
        ? await this.#provenAccount({ ...found, account: found.account }, given, request)
        : await newAccount(found, given, browser, request);
      return await this.#join(token, account, { request, browser });
    } catch (error) {
      if (error instanceof Refusal && !unrecorded.includes(error.code))
        await this.#noteRefusal(found, request, error);
      throw error;
    }
  }

  /** Adds the person to the team, in one transaction that uses up the invitation. */
  #join(
    token: string,
    account: Account,
    { request, browser: { sessionId, current } }: { request: RequestInfo; browser: AcceptingBrowser },
  ): Promise<bigint | undefined> {
    const { merchantId } = account;
    return this.#database.asSystemFor(merchantId, async (tx) => {
      await lockStanding(tx, merchantId);
      await assertMayBegin(tx, 'signIn');
      // Two merchants' invitations are not accepted at once: each sees what the other one requires.
      if ('id' in account) await lockAccount(tx, account.id);
      const found = await findLinked(tx, merchantId, hashToken(token), { isHeld: true });
      if (!found) throw new Refusal('not_found');
      assertOpen(found);
      await assertApproved(tx, found);
      await assertStillGiven(tx, found);
      if ('id' in account && !isSame(account, found.account)) throw new Refusal('conflict');
      const { email, roles } = found;
      const userId = 'id' in account ? account.id : await insertAccount(tx, { ...account, email });
      // Somebody has taken the email since the link was read.
      if (userId === undefined) throw new Refusal('conflict');
      // The person is a member already, by another link or with another address before.
      if (!(await addMember(tx, merchantId, userId, roles))) throw new Refusal('link_used');
      await acceptInvitation(tx, found, userId);
      const self = `user:${userId}`;
      const acted = { ...traceOf(request), merchantId, actor: self, roles, subject: self };
      await writeAudit(tx, { ...acted, action: 'user.join', after: { roles } });
      await writeNotice(tx, { merchantId, kind: 'memberJoined', subject: email, facts: {} });
      tx.changed(merchantId, 'team');
      // One that was opened while the person was not a member must not come back to life.
      await deleteSessionsOf(tx, userId, merchantId);
      // The sender knows the link, too: it does not replace the enrollment code that another merchant of the person has given.
      const isInvited = !(await isFactorRequiredElsewhere(tx, userId, merchantId));
      if (isInvited && current?.userId === userId) await markInvited(tx, current.sessionId);
      if (sessionId === undefined || found.account?.hasFactor) return undefined;
      const origin = { merchantId, userId, address: request.address, userAgent: request.userAgent };
      const life = { ...sessionLife(false), secondFactor: null, isInvited, isChosen: true };
      await insertSession(tx, { ...origin, ...life, sessionId });
      await noteSignIn(tx, origin);
      await writeAudit(tx, { ...acted, action: 'session.sign_in' });
      return userId;
    });
  }

  /** Records a refused use of a link, a few times within an hour. */
  async #noteRefusal({ merchantId, id, email }: LinkedInvitation, request: RequestInfo, { code }: Refusal) {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, tries.refusedLink(merchantId, id), hourSeconds);
      if (failures > recordedRefusals) return;
      const subject = { subject: email, after: { reason: code } };
      const row = { ...traceOf(request), merchantId, actor: 'nobody', ...subject };
      await writeAudit(tx, { ...row, action: 'invitation.refused' });
    });
  }

  async #find(token: string): Promise<LinkedInvitation> {
    const merchantId = merchantOf(token);
    if (merchantId === undefined) throw new Refusal('not_found');
    const found = await this.#database.asSystem((tx) => findLinked(tx, merchantId, hashToken(token)), {
      oneStatement: true,
    });
    if (!found) throw new Refusal('not_found');
    return found;
  }

  /**
   * Checks the password of the account that exists. Attempts count as those at sign-in, so that a link allows no more guesses.
   */
  async #provenAccount(
    { email, merchantId, account }: LinkedInvitation & { account: LinkedAccount },
    { password }: Acceptance,
    { address, userAgent, id: requestId }: RequestInfo,
  ): Promise<Account> {
    const { id } = account;
    const lane = addressGroup(address).caller;
    const pair = tries.signIn(email, lane);
    await this.#database.asSystem((tx) => refuseLocked(tx, email), { oneStatement: true });
    await countTriedAccount(this.#database, address, email, triedAccountLimits);
    await countOrRefuse(this.#database, pair, { limit: failuresPerMinute, windowSeconds: minuteSeconds });
    const isRight = await isPasswordOf(password, account.isDisabled ? undefined : account.passwordHash, lane);
    await this.#database.asSystem((tx) => refuseLocked(tx, email), { oneStatement: true });
    if (!isRight) {
      await this.#database.asSystem(async (tx) => {
        if (!(await countWrongPassword(tx, email))) return;
        const who = { merchantId, actor: 'nobody', subject: `user:${id}` };
        await writeAudit(tx, { ...who, action: 'session.lock', address, userAgent, requestId });
      });
      throw fieldRefusal('password', 'validation.passwordWrong');
    }
    await this.#database.asSystem((tx) => clearTries(tx, [pair]));
    await forgetTriedAccount(this.#database, address, email, triedAccountLimits);
    return { merchantId, id, passwordHash: account.passwordHash };
  }
}

/** The browser in which an invitation is accepted. */
export interface AcceptingBrowser {
  /** The id of the session to open; undefined if the browser has a session. */
  sessionId: string | undefined;
  /** The person of the session that the browser has, if it has passed the person's second factor. */
  current: Person | undefined;
}

/** The account that joins: an existing one, or a new one. */
type Account = { merchantId: bigint; passwordHash: string } & (Pick<LinkedAccount, 'id'> | { name: string });

/** Whether the account that has shown its password is still the one with the email, and may sign in. */
function isSame(
  { id, passwordHash }: Pick<LinkedAccount, 'id' | 'passwordHash'>,
  now: LinkedAccount | null,
): boolean {
  return now?.id === id && now.passwordHash === passwordHash && !now.isDisabled;
}

async function newAccount(
  { merchantId, email }: LinkedInvitation,
  { name, password }: Acceptance,
  { sessionId }: AcceptingBrowser,
  { address }: RequestInfo,
): Promise<Account> {
  if (sessionId === undefined) throw new Refusal('already_signed_in');
  if (name === undefined) throw fieldRefusal('name', 'validation.nameRequired');
  if (await isCommonPassword(password, email)) throw fieldRefusal('password', 'validation.passwordCommon');
  return { merchantId, name, passwordHash: await hashPassword(password, addressGroup(address).caller) };
}

/**
 * Throws `link_waiting` if the merchant has approval rules that have to approve the invitation, and it was not approved: it waits, or it
 * is older than the rules.
 */
async function assertApproved(tx: Tx, invitation: LinkedInvitation): Promise<void> {
  const { merchantId, inviterId, approvalState } = invitation;
  if (approvalState === 'approved' || inviterId === null) return;
  const ruleKind = ruleKindOf(noGrant, invitation);
  if (approvalState === 'waiting' || (await hasRules(tx, merchantId, ruleKind)))
    throw new Refusal('link_waiting');
}

/** Throws `link_revoked` if the person who answers for an invitation may no longer give its roles. */
async function assertStillGiven(tx: Tx, invitation: LinkedInvitation): Promise<void> {
  const { merchantId, inviterId } = invitation;
  if (inviterId === null) return;
  const inviter = await findMember(tx, merchantId, inviterId);
  if (!(inviter?.state === 'active' && mayInvite(inviter, invitation))) throw new Refusal('link_revoked');
}

function traceOf({ address, userAgent, id: requestId }: RequestInfo) {
  return { address, userAgent, requestId };
}

function assertOpen({ isAccepted, isRevoked, isExpired }: LinkedInvitation): void {
  if (isAccepted) throw new Refusal('link_used');
  if (isRevoked) throw new Refusal('link_revoked');
  if (isExpired) throw new Refusal('link_expired');
}
