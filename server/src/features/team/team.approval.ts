import { isDeepStrictEqual } from 'node:util';
import type { MerchantTx } from '#db/database.ts';
import type { ChangeEffects, ChangeRequest, RoleChange, TeamChange } from '#domain/approvals.sql.ts';
import { readGrant, type StoredRole } from '#domain/own-roles.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { listInvitations, revokeInvitations, setInvitationApproval } from './invitations.sql.ts';
import { changeMember, newRoles, reactivationWith, ruleKindOf, shownRoles } from './member-changes.ts';
import { changeRole, textOf } from './roles/role-changes.ts';
import { approvedActor } from './team.actor.ts';

/** Approval of changes of the team: each is made on behalf of the person who asked, who must still be allowed to. */
export const teamApproval: ChangeEffects = {
  approved: (tx, asked) => orConflict(() => makeChange(tx, asked)),
  async ended(tx, { change }, { state }) {
    const { action, id } = change as TeamChange | RoleChange;
    if (action !== 'invite') return;
    await setInvitationApproval(tx, tx.merchantId, BigInt(id), state);
    await revokeInvitations(tx, tx.merchantId, [BigInt(id)], null);
    tx.changed(tx.merchantId, 'team');
  },
};

async function makeChange(
  tx: MerchantTx,
  { change, request_no, requested_by, rule_kind }: ChangeRequest,
): Promise<void> {
  const asked = change as TeamChange | RoleChange;
  const by = approvedActor(tx.merchantId, requested_by, request_no);
  if (asked.action === 'role') {
    const shown = { holders: asked.holders.map(({ who }) => who), ruleKind: rule_kind };
    const isAsSeen = (role: StoredRole) => isDeepStrictEqual(textOf(role), asked.before);
    await changeRole(tx, by, { code: asked.id, after: asked.after, isAsSeen, shown });
    return;
  }
  const { action, id, before, after, own = [] } = asked;
  // The roles must still grant what the approvers were shown.
  if (!isDeepStrictEqual(await shownRoles(tx, tx.merchantId, [...before, ...after]), own))
    throw new Refusal('conflict');
  // By now the roles give a payment right, which all rules would have to approve.
  const [had, given] = [
    await readGrant(tx, tx.merchantId, before),
    await readGrant(tx, tx.merchantId, after),
  ];
  if (rule_kind !== null && ruleKindOf(had, given) !== rule_kind) throw new Refusal('conflict');
  if (action === 'invite') {
    const invitation = (await listInvitations(tx, tx.merchantId)).find((open) => String(open.id) === id);
    // Revoked, or used up, since.
    if (!invitation) throw new Refusal('conflict');
    await by.assertMayGive(tx, invitation);
    if (!(await setInvitationApproval(tx, tx.merchantId, BigInt(id), 'approved')))
      throw new Refusal('conflict');
    tx.changed(tx.merchantId, 'team');
    return;
  }
  await changeMember(
    tx,
    by,
    BigInt(id),
    action === 'roles' ? newRoles(after, before) : reactivationWith(after),
  );
}

/** The refusals of a person who has asked mean something else to the one who approves: the change cannot be made any more. */
async function orConflict(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal && ofRequester.includes(error.code)) throw new Refusal('conflict');
    throw error;
  }
}

const ofRequester: readonly string[] = [
  'unauthenticated',
  'forbidden',
  'roles_exceed',
  'own_membership',
  'not_found',
  'last_owner',
  // A role that is there no more, or a name that is taken.
  'validation_failed',
];
