import type { MerchantTx } from '#db/database.ts';
import type { ChangeEffects, ChangeRequest, TeamChange } from '#domain/approvals.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { revokeInvitations, setInvitationApproval } from './invitations.sql.ts';
import { changeMember, newRoles, reactivationWith, ruleKindOf } from './member-changes.ts';
import { approvedActor } from './team.actor.ts';

/** Approval of changes of the team: each is made on behalf of the person who asked, who must still be allowed to. */
export const teamApproval: ChangeEffects = {
  approved: (tx, asked) => orConflict(() => makeChange(tx, asked)),
  async ended(tx, { change }, { state }) {
    const { action, id } = change as TeamChange;
    if (action !== 'invite') return;
    await setInvitationApproval(tx, tx.merchantId, BigInt(id), state);
    await revokeInvitations(tx, tx.merchantId, [BigInt(id)]);
    tx.changed(tx.merchantId, 'team');
  },
};

async function makeChange(
  tx: MerchantTx,
  { change, request_no, requested_by, rule_kind }: ChangeRequest,
): Promise<void> {
  const { action, id, before, after } = change as TeamChange;
  // By now the roles give a payment right, which all rules would have to approve.
  if (rule_kind !== null && ruleKindOf({ before, after }) !== rule_kind) throw new Refusal('conflict');
  const by = approvedActor(tx.merchantId, requested_by, request_no);
  if (action === 'invite') {
    await by.assertMayGive(tx, after);
    // Revoked, or used up, since.
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
];
