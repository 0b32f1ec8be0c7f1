import type { Role } from '@hengfu/contract/permissions';
import { type Acceptance, invitationsPerHour } from '@hengfu/contract/team';
import type { Database, Tx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import type { RequestInfo } from '#domain/caller.ts';
import { writeNotice } from '#domain/notices.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { assertMayBegin, lockStanding } from '#domain/standing.sql.ts';
import { clearTries, countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { countWrongPassword, refuseLocked } from '#http/account-lock.sql.ts';
import { failuresPerMinute, sessionLife } from '#http/session.rules.ts';
import { insertSession } from '#http/session.sql.ts';
import { noteSignIn } from '#http/sign-ins.sql.ts';
import { addressGroup } from '#security/address-group.ts';
import { isCommonPassword } from '#security/common-passwords.ts';
import { hashPassword, isPasswordOf } from '#security/passwords.ts';
import { freshToken, hashToken, merchantOf } from './invitation-token.ts';
import {
  acceptInvitation,
  countPlaces,
  findLinked,
  type InvitationRow,
  insertAccount,
  insertInvitation,
  isMember,
  type LinkedInvitation,
  listInvitations,
  renewInvitation,
  revokeInvitations,
  revokeLongExpired,
} from './invitations.sql.ts';
import { changeTeam, type TeamActor } from './team.actor.ts';
import { addMember } from './team.sql.ts';

const minuteSeconds = 60;
const hourSeconds = 3600;
/** Refusals of an acceptance that are not recorded: a slip of the pen, or too many calls. */
const unrecorded: readonly string[] = ['validation_failed', 'too_many_requests'];

/** An invitation with its link, which nobody can read again. */
export interface Made {
  invitation: InvitationRow;
  url: string;
}

/**
 * Invitations by email: a link that is valid for 72 hours and works once. Whoever sends or renews one answers for it: when that
 * person is suspended, removed, or loses the right to give its roles, it is revoked.
 */
export class InvitationService {
  readonly #database: Database;
  readonly #appUrl: () => string;

  constructor(database: Database, appUrl: () => string) {
    this.#database = database;
    this.#appUrl = appUrl;
  }

  /**
   * Invites a person. Throws `roles_exceed`, `quota_reached`, `too_many_attempts`; `validation_failed` on `email` if the person
   * is a member, or has an open invitation.
   */
  async invite(by: TeamActor, email: string, roles: readonly Role[]): Promise<Made> {
    await this.#countLink(by);
    const { merchantId, userId: invitedBy } = by;
    return this.#makeLink(
      by,
      { action: 'invitation.create', subject: email, roles },
      async (tx, tokenHash) => {
        await by.assertMayGive(tx, roles);
        if (await isMember(tx, merchantId, email)) throw fieldRefusal('email', 'validation.memberExists');
        const open = await listInvitations(tx, merchantId);
        const expired = open.filter((other) => other.email === email && other.isExpired);
        await revokeInvitations(
          tx,
          merchantId,
          expired.map(({ id }) => id),
        );
        await assertWithinQuota(tx, 'membersOfMerchant', merchantId, () => countPlaces(tx, merchantId));
        const id = await insertInvitation(tx, { merchantId, email, roles, invitedBy, tokenHash });
        if (id === undefined) throw fieldRefusal('email', 'validation.invitationExists');
        await by.audit(tx, { action: 'invitation.create', subject: email, after: { roles } });
        return id;
      },
    );
  }

  /** Replaces the link of an open or expired invitation. Throws `not_found`, `roles_exceed`, `too_many_attempts`. */
  async renew(by: TeamActor, id: bigint): Promise<Made> {
    await this.#countLink(by);
    const { merchantId, userId: invitedBy } = by;
    const attempt = { action: 'invitation.renew', subject: `invitation:${id}` } as const;
    return this.#makeLink(by, attempt, async (tx, tokenHash) => {
      const { email, roles } = await findOpen(tx, merchantId, id);
      await by.assertMayGive(tx, roles);
      await renewInvitation(tx, { merchantId, invitedBy, tokenHash }, id);
      await by.audit(tx, { action: 'invitation.renew', subject: email });
      return id;
    });
  }

  /** Revokes an invitation. Throws `not_found`, `roles_exceed`. */
  revoke(by: TeamActor, id: bigint): Promise<void> {
    const attempt = { action: 'invitation.revoke', subject: `invitation:${id}` } as const;
    return changeTeam(this.#database, by, attempt, async (tx) => {
      const { email, roles } = await findOpen(tx, by.merchantId, id);
      await by.assertMayGive(tx, roles);
      await revokeInvitations(tx, by.merchantId, [id]);
      await by.audit(tx, { action: 'invitation.revoke', subject: email });
      tx.changed(by.merchantId, 'team');
    });
  }

  /** Reads the invitation behind a link. Throws `not_found`, `link_expired`, `link_revoked`, `link_used`. */
  async read(token: string): Promise<LinkedInvitation> {
    const found = await this.#find(token);
    assertOpen(found);
    return found;
  }

  /**
   * Accepts an invitation. With `sessionId`, a new account is signed in under that ID; an existing one has to show its password
   * here, and signs in afterwards. Returns the new account's ID, or undefined. Refused uses of a known link are recorded.
   * Throws what {@link read} throws, `validation_failed`, `too_many_attempts`, `merchant_suspended`, `conflict`.
   */
  async accept(
    token: string,
    given: Acceptance,
    request: RequestInfo,
    sessionId: string | undefined,
  ): Promise<bigint | undefined> {
    const found = await this.#find(token);
    try {
      assertOpen(found);
      const lane = addressGroup(request.address).caller;
      const account = found.account
        ? await this.#provenAccount(found, given, lane)
        : await newAccount(found, given, sessionId, lane);
      return await this.#join(token, account, request);
    } catch (error) {
      if (error instanceof Refusal && !unrecorded.includes(error.code))
        await this.#database.asSystem((tx) =>
          writeAudit(tx, {
            ...traceOf(request),
            merchantId: found.merchantId,
            actor: 'nobody',
            action: 'invitation.refused',
            subject: found.email,
            after: { reason: error.code },
          }),
        );
      throw error;
    }
  }

  /** Adds the person to the team, in one transaction that uses up the invitation. */
  #join(token: string, account: Account, request: RequestInfo): Promise<bigint | undefined> {
    const { merchantId } = account;
    return this.#database.asSystemFor(merchantId, async (tx) => {
      await lockStanding(tx, merchantId);
      await assertMayBegin(tx, 'signIn');
      const found = await findLinked(tx, merchantId, hashToken(token), { isHeld: true });
      if (!found) throw new Refusal('not_found');
      assertOpen(found);
      const { email, roles } = found;
      const userId = 'id' in account ? account.id : await insertAccount(tx, { ...account, email });
      // Somebody has taken the email, or joined otherwise, since the link was read.
      if (userId === undefined || !(await addMember(tx, merchantId, userId, roles)))
        throw new Refusal('conflict');
      await acceptInvitation(tx, found, userId);
      const acted = {
        ...traceOf(request),
        merchantId,
        actor: `user:${userId}`,
        roles,
        subject: `user:${userId}`,
      };
      await writeAudit(tx, { ...acted, action: 'user.join', after: { roles } });
      await writeNotice(tx, { merchantId, kind: 'memberJoined', subject: email, facts: {} });
      tx.changed(merchantId, 'team');
      if ('id' in account) return undefined;
      const origin = { merchantId, userId, address: request.address, userAgent: request.userAgent };
      const { sessionId } = account;
      await insertSession(tx, {
        ...origin,
        ...sessionLife(false),
        sessionId,
        secondFactor: null,
        isInvited: true,
      });
      await noteSignIn(tx, origin);
      await writeAudit(tx, { ...acted, action: 'session.sign_in' });
      return userId;
    });
  }

  /** Revokes invitations that expired long ago, so that the list of a team stays short. */
  sweep(tx: Tx): Promise<void> {
    return revokeLongExpired(tx);
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

  /** Checks the password of the account that exists. Its wrong passwords count as they do at sign-in. */
  async #provenAccount(found: LinkedInvitation, { password }: Acceptance, lane: string): Promise<Account> {
    const { email, merchantId, account } = found;
    await this.#database.asSystem((tx) => refuseLocked(tx, email), { oneStatement: true });
    const pair = tries.signIn(email, lane);
    await countOrRefuse(this.#database, pair, { limit: failuresPerMinute, windowSeconds: minuteSeconds });
    const isRight = await isPasswordOf(
      password,
      account?.isDisabled ? undefined : account?.passwordHash,
      lane,
    );
    await this.#database.asSystem((tx) => refuseLocked(tx, email), { oneStatement: true });
    if (!isRight || !account) {
      await this.#database.asSystem((tx) => countWrongPassword(tx, email));
      throw fieldRefusal('password', 'validation.passwordWrong');
    }
    await this.#database.asSystem((tx) => clearTries(tx, [pair]));
    return { merchantId, id: account.id };
  }

  async #makeLink(
    by: TeamActor,
    attempt: Parameters<typeof changeTeam>[2],
    work: (tx: Tx, tokenHash: Buffer) => Promise<bigint>,
  ): Promise<Made> {
    const token = freshToken(by.merchantId);
    return changeTeam(this.#database, by, attempt, async (tx) => {
      const invitation = await findOpen(tx, by.merchantId, await work(tx, hashToken(token)));
      tx.changed(by.merchantId, 'team');
      return { invitation, url: `${this.#appUrl()}/invitation/${token}` };
    });
  }

  async #countLink({ merchantId, userId }: TeamActor): Promise<void> {
    const limits = { limit: invitationsPerHour, windowSeconds: hourSeconds };
    if (userId !== null) await countOrRefuse(this.#database, tries.invitations(merchantId), limits);
  }
}

/** The account that joins: an existing one, or one that is created and signed in. */
type Account = { merchantId: bigint } & (
  | { id: bigint }
  | { name: string; passwordHash: string; sessionId: string }
);

async function newAccount(
  { merchantId, email }: LinkedInvitation,
  { name, password }: Acceptance,
  sessionId: string | undefined,
  lane: string,
): Promise<Account> {
  if (sessionId === undefined) throw new Refusal('already_signed_in');
  if (name === undefined) throw fieldRefusal('name', 'validation.nameRequired');
  if (await isCommonPassword(password, email)) throw fieldRefusal('password', 'validation.passwordCommon');
  return { merchantId, name, passwordHash: await hashPassword(password, lane), sessionId };
}

function traceOf({ address, userAgent, id: requestId }: RequestInfo) {
  return { address, userAgent, requestId };
}

function assertOpen({ isAccepted, isRevoked, isExpired }: LinkedInvitation): void {
  if (isAccepted) throw new Refusal('link_used');
  if (isRevoked) throw new Refusal('link_revoked');
  if (isExpired) throw new Refusal('link_expired');
}

/** Finds an open or expired invitation of a team. Throws `not_found`. */
async function findOpen(tx: Tx, merchantId: bigint, id: bigint): Promise<InvitationRow> {
  const found = (await listInvitations(tx, merchantId)).find((invitation) => invitation.id === id);
  if (!found) throw new Refusal('not_found');
  return found;
}
