import { randomInt } from 'node:crypto';
import { type OwnRoleInput, roleChangesPerHour } from '@hengfu/contract/own-roles';
import type { OwnRoleCode } from '@hengfu/contract/permissions';
import type { Database, Tx } from '#db/database.ts';
import { findTeamRequest, withdrawRequest } from '#domain/approvals.sql.ts';
import { listOwnRoles, type StoredRole } from '#domain/own-roles.sql.ts';
import { assertWithinQuota } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { countTry, tooManyAttempts } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { changeTeam, type TeamActor } from '../team.actor.ts';
import { insertOwnRole, retireOwnRole } from './own-roles.sql.ts';
import { assertNameFree, changeRole, findIn, granting, holdersOf, recorded, textOf } from './role-changes.ts';

const hourSeconds = 3600;
const codeLetters = 16;
const radix = 36;

/**
 * The roles that a merchant makes from the list of permissions. Nobody makes, changes or retires one that grants more than the own
 * roles, and nobody changes one so that the own permissions change. Every change is audited.
 */
export class OwnRoleService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(merchantId: bigint): Promise<StoredRole[]> {
    return this.#database.asSystem((tx) => listOwnRoles(tx, merchantId));
  }

  /** Makes a role. Throws `roles_exceed`, `quota_reached`, `too_many_attempts`; `validation_failed` on `name` if it is taken. */
  create(by: TeamActor, given: OwnRoleInput): Promise<StoredRole> {
    const { merchantId } = by;
    const attempt = { action: 'role.create', subject: given.name, permissions: given.perms } as const;
    return changeTeam(this.#database, by, attempt, async (tx) => {
      await by.assertMayGive(tx, granting(given.perms));
      const own = await listOwnRoles(tx, merchantId);
      assertNameFree(own, given.name);
      await assertWithinQuota(tx, 'ownRolesOfMerchant', merchantId, async () => own.length);
      await countChange(tx, by);
      const code = freshCode();
      await insertOwnRole(tx, merchantId, code, given);
      await by.audit(tx, { action: 'role.create', subject: given.name, after: recorded(given) });
      tx.changed(merchantId, 'team');
      return { code, ...given, version: 1 };
    });
  }

  /**
   * Changes a role for everybody who holds it, from the next call on. `version`: the one that the actor has seen; absent, any. Returns the
   * number of the request if somebody gains a payment right, and the merchant's rules ask for approval. Throws `not_found`,
   * `roles_exceed`, `own_membership`, `approvers_missing`, `conflict`, `too_many_attempts`; `validation_failed` on `name`.
   */
  change(by: TeamActor, code: string, given: OwnRoleInput, version?: number): Promise<string | undefined> {
    const attempt = { action: 'role.change', subject: code, permissions: given.perms } as const;
    return changeTeam(this.#database, by, attempt, async (tx) => {
      const role = findIn(await listOwnRoles(tx, by.merchantId), code);
      const isAsSeen = (now: StoredRole) => version === undefined || now.version === version;
      const requestNo = await changeRole(tx, by, { code: role.code, after: given, isAsSeen });
      await countChange(tx, by);
      return requestNo;
    });
  }

  /** Retires a role. Throws `not_found`, `roles_exceed`, `role_in_use`. */
  retire(by: TeamActor, code: string): Promise<void> {
    const { merchantId } = by;
    const attempt = { action: 'role.retire', subject: code } as const;
    return changeTeam(this.#database, by, attempt, async (tx) => {
      const role = findIn(await listOwnRoles(tx, merchantId), code);
      await by.assertMayGive(tx, granting(role.perms));
      const { length: count } = await holdersOf(tx, merchantId, role.code);
      if (count > 0) throw new Refusal('role_in_use', { values: { count } });
      await retireOwnRole(tx, merchantId, role.code);
      // Nobody holds it any more, so that a change of it has become pointless.
      const requestNo = await findTeamRequest(tx, merchantId, { action: 'role', id: role.code });
      if (requestNo !== undefined) await withdrawRequest(tx, merchantId, requestNo, by.requester ?? null);
      await by.audit(tx, { action: 'role.retire', subject: role.name, before: recorded(textOf(role)) });
      tx.changed(merchantId, 'team');
    });
  }
}

/** Counts a role that is made or changed. Throws `too_many_attempts` beyond the limit of its merchant. */
async function countChange(tx: Tx, { merchantId, userId }: TeamActor): Promise<void> {
  if (userId === null) return;
  const { failures, waitSeconds } = await countTry(tx, tries.ownRoles(merchantId), hourSeconds);
  if (failures > roleChangesPerHour) throw tooManyAttempts(Math.max(waitSeconds, 1), roleChangesPerHour);
}

function freshCode(): OwnRoleCode {
  const letters = Array.from({ length: codeLetters }, () => randomInt(radix).toString(radix));
  return `own_${letters.join('')}`;
}
