import type { AuditValues } from '@hengfu/contract/audit-fields';
import type { RecordedAction } from '@hengfu/contract/audit-log';
import { covers, type Grant, type Perm, type RoleCode } from '@hengfu/contract/permissions';
import type { Database, Tx } from '#db/database.ts';
import { auditPerson, fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { Person, RequestInfo, ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { lockStanding } from '#domain/standing.sql.ts';
import { countTry } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { findMember } from './team.sql.ts';

/** An action on a team, as the audit trail records it. */
export interface TeamAttempt {
  action: RecordedAction;
  subject: string;
  before?: AuditValues;
  after?: AuditValues;
}

/** The person or operator that changes a team, with a way to record the change. */
export interface TeamActor {
  readonly merchantId: bigint;
  /** The person's ID; null for an operator. */
  readonly userId: bigint | null;
  /** The actor of a request, if a change has to be asked for: `user:<id>`. Absent for operators, and once it is approved. */
  readonly requester?: string;
  /**
   * Throws unless the actor may give or take this now: `unauthenticated`, `forbidden`, `roles_exceed`. Call it with the
   * merchant's standing locked: what the person could do when the call was admitted may be over.
   */
  assertMayGive(tx: Tx, given: Grant): Promise<void>;
  audit(tx: Tx, attempt: TeamAttempt): Promise<void>;
}

/** A signed-in person, who can give and take no more than the person's own roles. */
export function personActor(person: Person, request: RequestInfo): TeamActor {
  const { userId } = person;
  const { merchantId } = person.home;
  return {
    merchantId,
    userId,
    requester: `user:${userId}`,
    assertMayGive: (tx, given) => assertMayGive(tx, { merchantId, userId }, given),
    audit: (tx, { action, ...details }) => auditPerson(tx, person, request, action, details),
  };
}

/** A person whose change was approved. The person's own rights are checked once more. */
export function approvedActor(merchantId: bigint, requester: string, requestNo: string): TeamActor {
  const userId = BigInt(requester.replace(/^user:/, ''));
  return {
    merchantId,
    userId,
    assertMayGive: (tx, given) => assertMayGive(tx, { merchantId, userId }, given),
    audit: (tx, { after, ...attempt }) =>
      writeAudit(tx, { merchantId, actor: requester, ...attempt, after: { ...after, requestNo } }),
  };
}

async function assertMayGive(
  tx: Tx,
  { merchantId, userId }: { merchantId: bigint; userId: bigint },
  given: Grant,
): Promise<void> {
  const own = await findMember(tx, merchantId, userId);
  if (own?.state !== 'active') throw new Refusal('unauthenticated');
  if (!own.perms.includes('team.manage')) throw new Refusal('forbidden');
  if (!covers(own, given)) throw new Refusal('roles_exceed');
}

/** An operator of the service (`operator:<name>`), or one of our staff, who may give every role. */
export function operatorActor(actor: ServiceActor, merchantId: bigint): TeamActor {
  return {
    merchantId,
    userId: null,
    assertMayGive: async () => undefined,
    audit: (tx, attempt) => writeAudit(tx, { merchantId, ...fieldsOfActor(actor), ...attempt }),
  };
}

/** Refusals that leave a row in the audit trail: somebody tried to go beyond their own rights. */
const recorded: readonly string[] = ['own_membership', 'roles_exceed', 'last_owner', 'forbidden'];

/** Refused attempts of one person that are recorded within an hour. */
const recordedPerHour = 20;
const hourSeconds = 3600;

/**
 * Changes a team in one transaction, with the merchant's standing locked, so that changes of one team follow one another. A
 * refused attempt is recorded.
 */
export async function changeTeam<T>(
  database: Database,
  by: TeamActor,
  attempt: Pick<TeamAttempt, 'action' | 'subject'> & {
    roles?: readonly RoleCode[];
    permissions?: readonly Perm[];
  },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await database.asSystemFor(by.merchantId, async (tx) => {
      await lockStanding(tx, by.merchantId);
      return work(tx);
    });
  } catch (error) {
    if (error instanceof Refusal && recorded.includes(error.code)) {
      const { action, subject, ...asked } = attempt;
      const after = { attempt: action, reason: error.code, ...asked };
      await database.asSystemFor(by.merchantId, async (tx) => {
        if (by.userId !== null) {
          const { failures } = await countTry(
            tx,
            tries.refusedTeamCall(by.merchantId, by.userId),
            hourSeconds,
          );
          if (failures > recordedPerHour) return;
        }
        await by.audit(tx, { action: 'team.refused', subject, after });
      });
    }
    throw error;
  }
}
