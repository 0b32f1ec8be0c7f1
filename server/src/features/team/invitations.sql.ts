import type { ApprovalState } from '@hengfu/contract/approval-states';
import type { OwnPerms, Perm, RoleCode } from '@hengfu/contract/permissions';
import { invitationDays, invitationHours } from '@hengfu/contract/team';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { ownPermsOf, withPerms } from '#domain/own-roles.sql.ts';

/** An invitation as its team sees it. */
export interface InvitationRow {
  id: bigint;
  email: string;
  roles: RoleCode[];
  /** The permissions that these roles grant now. */
  perms: Perm[];
  invitedBy: string | null;
  /** The person who answers for it; null if an operator does. */
  inviterId: bigint | null;
  createdAt: Date;
  expiresAt: Date;
  isExpired: boolean;
  /** Null if no rule asks for approval. */
  approvalState: ApprovalState | null;
}

/** An invitation as it is read. */
type ReadInvitation = Omit<InvitationRow, 'perms'> & { ownPerms: OwnPerms | null };

/** An invitation as its link finds it. */
export interface LinkedInvitation extends InvitationRow {
  merchantId: bigint;
  merchant: string;
  isAccepted: boolean;
  isRevoked: boolean;
  /** The account with this email, if there is one. */
  account: LinkedAccount | null;
}

const shown = sql`i.id, i.email, i.roles, ${ownPermsOf('i')} as "ownPerms", i.created_at as "createdAt", i.expires_at as "expiresAt",
  i.expires_at <= now() as "isExpired", i.approval_state as "approvalState", i.invited_by as "inviterId", by.name as "invitedBy"`;

/** Lists a merchant's open invitations, expired or not, latest first. */
export async function listInvitations(tx: Tx, merchantId: bigint): Promise<InvitationRow[]> {
  const { rows } = await sql<ReadInvitation>`
    select ${shown} from invitation i left join app_user by on by.id = i.invited_by
    where i.merchant_id = ${merchantId} and i.accepted_at is null and i.revoked_at is null
    order by i.id desc`.execute(tx.query);
  return rows.map(withPerms);
}

/** Finds the invitation behind a link; `isHeld` locks it until the transaction ends. */
export async function findLinked(
  tx: Tx,
  merchantId: bigint,
  tokenHash: Buffer,
  { isHeld = false } = {},
): Promise<LinkedInvitation | undefined> {
  const { rows } = await sql<ReadInvitation & Omit<LinkedInvitation, 'account' | 'perms'> & AccountColumns>`
    select ${shown}, i.merchant_id as "merchantId", m.name as merchant, i.accepted_at is not null as "isAccepted",
      i.revoked_at is not null as "isRevoked", u.id as "accountId", u.password_hash as "passwordHash",
      u.disabled_at is not null as "isDisabled",
      u.two_factor_confirmed_at is not null or exists (select from passkey k where k.user_id = u.id) as "hasFactor"
    from invitation i join merchant m on m.id = i.merchant_id left join app_user by on by.id = i.invited_by
      left join app_user u on u.email = i.email
    where i.merchant_id = ${merchantId} and i.token_hash = ${tokenHash}
    ${isHeld ? sql`for update of i` : sql``}`.execute(tx.query);
  const [row] = rows;
  if (!row) return undefined;
  const { accountId: id, passwordHash, isDisabled, hasFactor, ...rest } = withPerms(row);
  if (id === null || passwordHash === null) return { ...rest, account: null };
  return { ...rest, account: { id, passwordHash, isDisabled, hasFactor } };
}

interface AccountColumns extends Omit<LinkedAccount, 'id' | 'passwordHash'> {
  accountId: bigint | null;
  passwordHash: string | null;
}

/** The account that has the email of an invitation. */
export interface LinkedAccount {
  id: bigint;
  passwordHash: string;
  /** Blocked by the service. */
  isDisabled: boolean;
  /** Has bound a second factor. */
  hasFactor: boolean;
}

export interface NewInvitation {
  merchantId: bigint;
  email: string;
  roles: readonly RoleCode[];
  invitedBy: bigint | null;
  tokenHash: Buffer;
}

const expiry = sql<Date>`now() + ${invitationHours} * interval '1 hour'`;

/** Stores an invitation and returns its ID; undefined if another one for this email is open. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<bigint | undefined> {
  const row = await tx.query
    .insertInto('invitation')
    .values({
      merchant_id: invitation.merchantId,
      email: invitation.email,
      roles: [...invitation.roles],
      invited_by: invitation.invitedBy,
      token_hash: invitation.tokenHash,
      expires_at: expiry,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Sets the approval of an open invitation. An approved one is valid for another 72 hours, so that the wait does not use them up. Returns
 * false if it is not open any more.
 */
export async function setInvitationApproval(
  tx: Tx,
  merchantId: bigint,
  id: bigint,
  state: ApprovalState,
): Promise<boolean> {
  const result = await tx.query
    .updateTable('invitation')
    .set({ approval_state: state, ...(state === 'approved' && { expires_at: expiry }) })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Replaces an invitation's link. The one who renews it answers for it from now on. */
export async function renewInvitation(
  tx: Tx,
  { merchantId, invitedBy, tokenHash }: Pick<NewInvitation, 'merchantId' | 'invitedBy' | 'tokenHash'>,
  id: bigint,
): Promise<void> {
  await tx.query
    .updateTable('invitation')
    .set({ token_hash: tokenHash, invited_by: invitedBy, expires_at: expiry })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/** Revokes open invitations of a merchant. */
export async function revokeInvitations(
  tx: Tx,
  merchantId: bigint,
  ids: readonly bigint[],
  by: string | null,
): Promise<void> {
  if (ids.length === 0) return;
  // Requests are locked before what they ask for.
  await sql`
    update approval_request set state = 'withdrawn', ended_at = now(), ended_by = ${by}
    where merchant_id = ${merchantId} and kind = 'team' and state = 'waiting' and change ->> 'action' = 'invite'
      and change ->> 'id' = any(${ids.map(String)}::text[])`.execute(tx.query);
  tx.changed(merchantId, 'approvals');
  await tx.query
    .updateTable('invitation')
    .set({ revoked_at: sql<Date>`now()` })
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', ids)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Revokes invitations that expired long ago, so that the list of a team stays short. */
export async function revokeLongExpired(tx: Tx): Promise<void> {
  await tx.query
    .updateTable('invitation')
    .set({ revoked_at: sql<Date>`now()` })
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<', sql<Date>`now() - ${invitationDays} * interval '1 day'`)
    .execute();
}

/** Marks an invitation as used. */
export async function acceptInvitation(
  tx: Tx,
  { merchantId, id }: Pick<LinkedInvitation, 'merchantId' | 'id'>,
  userId: bigint,
): Promise<void> {
  await tx.query
    .updateTable('invitation')
    .set({ accepted_at: sql<Date>`now()`, accepted_by: userId })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/** Counts what the quota of members limits: members, and invitations that are open or expired. */
export async function countPlaces(tx: Tx, merchantId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from membership where merchant_id = ${merchantId} and removed_at is null)::integer
      + (select count(*) from invitation where merchant_id = ${merchantId} and accepted_at is null and revoked_at is null)::integer
      as count`.execute(tx.query);
  return rows[0]?.count ?? 0;
}

/** Whether somebody with this email works for the merchant, active or suspended. */
export async function isMember(tx: Tx, merchantId: bigint, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from membership p join app_user u on u.id = p.user_id
    where p.merchant_id = ${merchantId} and p.removed_at is null and u.email = ${email}`.execute(tx.query);
  return rows.length > 0;
}
