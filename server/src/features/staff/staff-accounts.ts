import { randomInt } from 'node:crypto';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { Database, Tx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { hashPassword } from '#security/passwords.ts';
import {
  hasOtherMerchants,
  insertAccount,
  type ListedStaff,
  listAccounts,
  resetAccount,
  setDisabled,
} from './staff.sql.ts';
import { forgetLocks } from './staff-attempts.ts';
import { endStaffSessions } from './staff-sessions.sql.ts';

export type { ListedStaff };

/** Letters and digits that nobody confuses. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const [groups, groupLength] = [5, 5];

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
    const password = newPassword();
    if (!(await this.#add(staff, password, actor))) throw fieldRefusal('email', 'validation.emailTaken');
    return password;
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

  /** Disables an account, which ends its sessions, or enables it again. Throws `not_found`, `conflict` if it already is. */
  async setDisabled(email: string, isDisabled: boolean, actor: string): Promise<void> {
    await this.#change(email, async (tx, { id }) => {
      if (!(await setDisabled(tx, id, isDisabled))) throw new Refusal('conflict');
      await endStaffSessions(tx, id);
      await this.#audit(tx, id, actor, isDisabled ? 'staff.disable' : 'staff.enable', {
        before: { isDisabled: !isDisabled },
        after: { isDisabled },
      });
    });
  }

  /**
   * Removes the second factor of somebody who has lost it, ends all sessions and locks, and returns a new password: the old one
   * alone must not be enough to bind another factor. Throws `not_found`.
   */
  async resetFactor(email: string, actor: string): Promise<string> {
    const password = newPassword();
    const passwordHash = await hashPassword(password);
    await this.#change(email, async (tx, { id, hasFactor }) => {
      await resetAccount(tx, id, passwordHash);
      await endStaffSessions(tx, id);
      await forgetLocks(tx, id, email);
      await this.#audit(tx, id, actor, 'staff.reset', { before: { hasFactor }, after: { hasFactor: false } });
    });
    return password;
  }

  /** Lets somebody sign in again whom wrong passwords or codes have locked out. Throws `not_found`. */
  async unlock(email: string, actor: string): Promise<void> {
    await this.#change(email, async (tx, { id }) => {
      await forgetLocks(tx, id, email);
      await this.#audit(tx, id, actor, 'staff.unlock');
    });
  }

  async #add({ email, name, roles }: StaffToCreate, password: string, actor: string): Promise<boolean> {
    const passwordHash = await hashPassword(password);
    return this.#database.asSystem(async (tx) => {
      const id = await insertAccount(tx, { email, name, roles, passwordHash });
      if (id === undefined) return false;
      await this.#audit(tx, id, actor, 'staff.create', { after: { email, name, roles } });
      return true;
    });
  }

  #change(email: string, work: (tx: Tx, account: ListedStaff) => Promise<void>): Promise<void> {
    return this.#database.asSystem(async (tx) => {
      const [account] = await listAccounts(tx, email);
      if (!account) throw new Refusal('not_found');
      await work(tx, account);
    });
  }

  async #audit(
    tx: Tx,
    id: bigint,
    actor: string,
    action: 'staff.create' | 'staff.disable' | 'staff.enable' | 'staff.reset' | 'staff.unlock',
    values: { before?: object; after?: object } = {},
  ): Promise<void> {
    await writeAudit(tx, { merchantId: null, actor, action, subject: `staff:${id}`, ...values });
  }
}

/** Generates a password of 123 bits, in groups that can be read out. */
function newPassword(): string {
  const letter = () => alphabet[randomInt(alphabet.length)];
  const group = () => Array.from({ length: groupLength }, letter).join('');
  return Array.from({ length: groups }, group).join('-');
}
