import type { CurrentStaff } from '@hengfu/contract/staff/session';
import type { StaffMember } from '#domain/caller.ts';

/** Maps a signed-in member of our staff to the user that the back office receives. */
export function staffView(member: StaffMember): CurrentStaff {
  const { staffId, name, email, roles, perms, level, hasFactor, hasPasskey, language } = member;
  return { id: String(staffId), name, email, roles, perms, level, hasFactor, hasPasskey, language };
}

/** A case that waits for our staff, as far as all cases are alike. */
interface ReviewedCase {
  merchant: string;
  merchantName: string;
  claim: { staffId: bigint; name: string; at: Date } | null;
  requestId: bigint | null;
}

/** Maps the parts that all cases have, as one of our staff sees them. */
export function caseView(
  { merchant, merchantName, claim, requestId }: ReviewedCase,
  { staffId }: StaffMember,
) {
  return {
    merchant: { code: merchant, name: merchantName },
    claim: claim && { name: claim.name, isOwn: claim.staffId === staffId, at: claim.at.toISOString() },
    requestId: requestId === null ? null : String(requestId),
  };
}
