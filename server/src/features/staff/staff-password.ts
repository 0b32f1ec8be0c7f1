import type { PasswordChange } from '@hengfu/contract/profile';
import type { Database } from '#db/database.ts';
import type { RequestInfo, StaffMember } from '#domain/caller.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { clearTries, countOrRefuse } from '#domain/throttle.sql.ts';
import { staffTries } from '#domain/throttle-keys.ts';
import { isCommonPassword } from '#security/common-passwords.ts';
import { hashPassword, isPasswordOf } from '#security/passwords.ts';
import { findAccount, setPassword } from './staff.sql.ts';
import { endStaffSessions, renewStaffSession } from './staff-sessions.sql.ts';
import { auditStaff } from './staff-sign-in.ts';

const wrongPasswords = { limit: 5, windowSeconds: 60 };
const throttle = 'staff_throttle';

/** Lets members of our staff change their own passwords. */
export class StaffPassword {
  readonly #database: Database;
  readonly #accounts: Database;

  /** `accounts` may change accounts, which the back office itself may not. */
  constructor(database: Database, accounts: Database) {
    this.#database = database;
    this.#accounts = accounts;
  }

  /**
   * Changes the password: this session continues under a new id, all others end. Throws `validation_failed` on `current_password`
   * or `password`, `too_many_attempts`.
   */
  async change(
    member: StaffMember,
    request: RequestInfo,
    change: PasswordChange,
    newSessionId: string,
  ): Promise<void> {
    const { staffId, sessionId, email } = member;
    const from = await this.#checkPassword(member, change.current_password);
    if (change.password === change.current_password)
      throw fieldRefusal('password', 'validation.passwordSame');
    if (await isCommonPassword(change.password, email))
      throw fieldRefusal('password', 'validation.passwordCommon');
    const to = await hashPassword(change.password, laneOf(member));
    await this.#accounts.asSystem(async (tx) => {
      if (!(await setPassword(tx, staffId, { from, to }))) throw new Refusal('conflict');
      await endStaffSessions(tx, staffId, { exceptSessionId: sessionId });
      await auditStaff(tx, member, request, 'staff.password');
    });
    await this.#database.asSystem((tx) => renewStaffSession(tx, sessionId, newSessionId));
  }

  /** Checks the current password, and returns its hash. */
  async #checkPassword(member: StaffMember, password: string): Promise<string> {
    const { staffId } = member;
    const key = staffTries.ownPassword(staffId);
    await countOrRefuse(this.#database, key, wrongPasswords, throttle);
    const account = await this.#database.asSystem((tx) => findAccount(tx, { id: staffId }), {
      oneStatement: true,
    });
    if (!account || !(await isPasswordOf(password, account.passwordHash, laneOf(member))))
      throw fieldRefusal('current_password', 'validation.passwordWrong');
    await this.#database.asSystem((tx) => clearTries(tx, [key], throttle));
    return account.passwordHash;
  }
}

/** The person's lane in the queue for password hashing. */
function laneOf({ staffId }: StaffMember): string {
  return `staff:${staffId}`;
}
