import { randomInt } from 'node:crypto';
import type { AuditValues } from '@hengfu/contract/audit-fields';
import { staffNamePattern } from '@hengfu/contract/staff/accounts';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { Database, Tx } from '#db/database.ts';
import { fieldsOfActor, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { lockAccounts } from '#domain/staff-accounts-lock.sql.ts';
import { hashPassword } from '#security/passwords.ts';
import {
  hasOtherMerchants,
  insertAccount,
  type ListedStaff,
  listAccounts,
  resetAccount,
  setDisabled,
  setRoles,
} from './staff.sql.ts';
import { forgetLocks } from './staff-attempts.ts';
import { endStaffSessions } from './staff-sessions.sql.ts';

export type { ListedStaff };

/** Letters and digits that nobody confuses. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const [groups, groupLength] = [6, 5];

/** A member of our staff to be added. */
export interface StaffToCreate {
  email: string;
  name: string;
  roles: readonly StaffRole[];
}

/** The accounts of our staff, for operators. Audits every change. */
export class StaffAccounts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(): Promise<ListedStaff[]> {
    return this.#database.asSystem((tx) => listAccounts(tx));
  }

  /** Adds an account with a generated password, which it returns. Throws `validation_failed` if the email is in use. */
  async create(staff: StaffToCreate, actor: string): Promise<string> {
    return (await this.#database.asSystem((tx) => addAccount(tx, staff, actor))).password;
  }

  /**
   * Adds the accounts of the demo, with a password that everybody knows, unless they are there. Adds none to a database with
   * other merchants than those of the demo, whose codes are given: it serves somebody, whatever the mode says.
   */
  async addDemo(
    people: readonly StaffToCreate[],
    { password, merchants }: { password: string; merchants: readonly string[] },
  ): Promise<void> {
    if (await this.#database.asSystem((tx) => hasOtherMerchants(tx, merchants))) return;
    const known = new Set((await this.list()).map(({ email }) => email));
    for (const person of people.filter(({ email }) => !known.has(email)))
      await this.#add(person, password, 'operator:demo');
  }

  /** Disables the accounts of the demo and ends their sessions: the database serves something else now. */
  async endDemo(people: readonly Pick<StaffToCreate, 'email'>[]): Promise<void> {
    const open = (await this.list()).filter(({ email, disabledAt }) => {
      return disabledAt === null && people.some((person) => person.email === email);
    });
    for (const { email } of open) await this.setDisabled(email, true, 'operator:demo');
  }

  /** Disables an account, which ends its sessions, or enables it again. Throws `not_found`, `account_active` or `account_disabled` if it already is. */
  setDisabled(email: string, isDisabled: boolean, actor: string): Promise<void> {
    return this.#database.asSystem((tx) => switchAccess(tx, email, isDisabled, actor));
  }

  /** Resets the access of somebody who has lost the second factor. Returns a new password. Throws `not_found`. */
  async resetFactor(email: string, actor: string): Promise<string> {
    return (await this.#database.asSystem((tx) => resetAccess(tx, email, actor))).password;
  }

  /** Lets somebody sign in again whom wrong passwords or codes have locked out. Throws `not_found`. */
  async unlock(email: string, actor: string): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { id } = await accountOf(tx, email);
      await forgetLocks(tx, id, email);
      await audit(tx, id, actor, 'staff.unlock');
    });
  }

  async #add(staff: StaffToCreate, password: string, actor: string): Promise<void> {
    const passwordHash = await hashPassword(password);
    await this.#database.asSystem((tx) => insertAudited(tx, staff, passwordHash, actor));
  }
}

/** Adds an account with a generated password. Throws `validation_failed` if the email is in use, or for a name that looks like an operator's. */
export async function addAccount(
  tx: Tx,
  staff: StaffToCreate,
  by: ServiceActor,
): Promise<{ id: bigint; password: string }> {
  if (!staffNamePattern.test(staff.name)) throw fieldRefusal('name', 'validation.nameColon');
  const password = newPassword();
  const id = await insertAudited(tx, staff, await hashPassword(password), by);
  if (id === undefined) throw fieldRefusal('email', 'validation.emailTaken');
  return { id, password };
}

/** Disables an account, which ends its sessions, or enables it again. Throws `not_found`, `account_active` or `account_disabled` if it already is. */
export async function switchAccess(
  tx: Tx,
  email: string,
  isDisabled: boolean,
  by: ServiceActor,
): Promise<void> {
  await lockAccounts(tx, { isChange: true });
  const { id } = await accountOf(tx, email);
  if (!(await setDisabled(tx, id, isDisabled)))
    throw new Refusal(isDisabled ? 'account_disabled' : 'account_active');
  await endStaffSessions(tx, id);
  await audit(tx, id, by, isDisabled ? 'staff.disable' : 'staff.enable', {
    before: { isDisabled: !isDisabled },
    after: { isDisabled },
  });
}

/** Gives an account other roles, which ends its sessions: what a page shows depends on them. Throws `not_found`. */
export async function changeRoles(
  tx: Tx,
  email: string,
  roles: readonly StaffRole[],
  by: ServiceActor,
): Promise<void> {
  await lockAccounts(tx, { isChange: true });
  const { id, roles: earlier } = await accountOf(tx, email);
  await setRoles(tx, id, roles);
  await endStaffSessions(tx, id);
  await audit(tx, id, by, 'staff.roles', { before: { roles: earlier }, after: { roles } });
}

/**
 * Removes the second factor of somebody who has lost it, ends all sessions and locks, and sets a new password: the old one alone must
 * not be enough to bind another factor. Throws `not_found`.
 */
export async function resetAccess(
  tx: Tx,
  email: string,
  by: ServiceActor,
): Promise<{ id: bigint; password: string }> {
  const password = newPassword();
  await lockAccounts(tx, { isChange: true });
  const { id, hasFactor } = await accountOf(tx, email);
  await resetAccount(tx, id, await hashPassword(password));
  await endStaffSessions(tx, id);
  await forgetLocks(tx, id, email);
  await audit(tx, id, by, 'staff.reset', { before: { hasFactor }, after: { hasFactor: false } });
  return { id, password };
}

/** Finds an account by its email. Throws `not_found`. */
async function accountOf(tx: Tx, email: string): Promise<ListedStaff> {
  const [account] = await listAccounts(tx, email);
  if (!account) throw new Refusal('not_found');
  return account;
}

/** Adds an account; returns its ID, or undefined if the email is in use. */
async function insertAudited(
  tx: Tx,
  { email, name, roles }: StaffToCreate,
  passwordHash: string,
  by: ServiceActor,
): Promise<bigint | undefined> {
  const id = await insertAccount(tx, { email, name, roles, passwordHash });
  if (id !== undefined) await audit(tx, id, by, 'staff.create', { after: { email, name, roles } });
  return id;
}

async function audit(
  tx: Tx,
  id: bigint,
  by: ServiceActor,
  action: `staff.${'create' | 'disable' | 'enable' | 'reset' | 'roles' | 'unlock'}`,
  values: { before?: AuditValues; after?: AuditValues } = {},
): Promise<void> {
  await writeAudit(tx, {
    merchantId: null,
    ...fieldsOfActor(by),
    action,
    subject: `staff:${id}`,
    ...values,
  });
}

/** Generates a password of 148 bits, in groups that can be read out. */
function newPassword(): string {
  const letter = () => alphabet[randomInt(alphabet.length)];
  const group = () => Array.from({ length: groupLength }, letter).join('');
  return Array.from({ length: groups }, group).join('-');
}
