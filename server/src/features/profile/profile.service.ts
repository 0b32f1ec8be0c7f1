import {
  type PasswordChange,
  type Profile,
  passwordConfirmedSeconds,
  type SecurityEvent,
} from '@hengfu/contract/profile';
import type { Database } from '#db/database.ts';
import { lockAccount } from '#domain/accounts.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { noticeAccessChange } from '#domain/notices.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { clearTries, countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { endOtherAccess, keepOnlySession, renewSession } from '#http/session.sql.ts';
import { isCommonPassword } from '#security/common-passwords.ts';
import { hashPassword, isPasswordOf } from '#security/passwords.ts';
import {
  deleteSessionById,
  listSecurityEvents,
  listSessions,
  lockEmail,
  type Owner,
  readPasswordHash,
  type SessionRow,
  secondsSinceConfirmed,
  updatePassword,
  updateProfile,
} from './profile.sql.ts';

const wrongPasswords = { limit: 5, windowSeconds: 60 };

/** Changes signed-in users' own profiles and access. Every change is audited. */
export class ProfileService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Changes the profile. Another email decides who can sign in: it takes the confirmed password, this session continues under a new id, and
   * all others end. Returns whether the session has the new id. Throws `validation_failed` on `email` if another user has it; for
   * another email, `live_mode_only` in test mode and `password_confirmation_required`.
   */
  async update(
    person: Person,
    request: RequestInfo,
    profile: Profile,
    newSessionId: string,
  ): Promise<boolean> {
    return this.#database.asSystem(async (tx) => {
      // As stored: an email that was changed meanwhile does not come back with a new name.
      const email = await lockEmail(tx, ownerOf(person));
      const isNewEmail = profile.email !== email;
      if (isNewEmail) assertMayChangeEmail(person);
      if (!(await updateProfile(tx, ownerOf(person), profile)))
        throw fieldRefusal('email', 'validation.emailTaken');
      if (isNewEmail) {
        await keepOnlySession(tx, person, newSessionId);
        await noticeAccessChange(tx, person, request, 'email_change');
      }
      const { name, ownZone: zone, language } = person;
      const before = { name, email, zone, language };
      const action = isNewEmail ? 'email.change' : 'profile.update';
      await auditPerson(tx, person, request, action, { before, after: { ...before, ...profile } });
      return isNewEmail;
    });
  }

  /**
   * Changes the login password: this session continues under a new id, all others end. Throws
   * `validation_failed` on `current_password` or `password`, `too_many_attempts`.
   */
  async changePassword(
    person: Person,
    request: RequestInfo,
    change: PasswordChange,
    newSessionId: string,
  ): Promise<void> {
    const from = await this.#checkPassword(person, change.current_password, 'current_password');
    if (change.password === change.current_password)
      throw fieldRefusal('password', 'validation.passwordSame');
    if (await isCommonPassword(change.password, person.email))
      throw fieldRefusal('password', 'validation.passwordCommon');
    const to = await hashPassword(change.password, laneOf(person));
    await this.#database.asSystem(async (tx) => {
      if (!(await updatePassword(tx, ownerOf(person), { from, to }))) throw new Refusal('conflict');
      await keepOnlySession(tx, person, newSessionId);
      await noticeAccessChange(tx, person, request, 'password_change');
      await auditPerson(tx, person, request, 'password.change');
    });
  }

  /**
   * Confirms the password, which allows sensitive calls for a while, and renews the session id. Throws
   * `validation_failed`, `too_many_attempts`.
   */
  async confirmPassword(
    person: Person,
    request: RequestInfo,
    password: string,
    newSessionId: string,
  ): Promise<void> {
    await this.#checkPassword(person, password, 'password');
    await this.#database.asSystem(async (tx) => {
      const isAlive = await renewSession(tx, person.sessionId, newSessionId, { isConfirmed: true });
      if (!isAlive) throw new Refusal('unauthenticated');
      await auditPerson(tx, person, request, 'password.confirm');
    });
  }

  /**
   * Returns the seconds since the password was confirmed; undefined if that is not within `withinSeconds`.
   */
  async confirmedFor(person: Person, withinSeconds = passwordConfirmedSeconds): Promise<number | undefined> {
    const seconds = await this.#database.asSystem((tx) => secondsSinceConfirmed(tx, person.sessionId), {
      oneStatement: true,
    });
    return seconds !== undefined && seconds < withinSeconds ? seconds : undefined;
  }

  sessions(person: Person): Promise<SessionRow[]> {
    return this.#database.asSystem((tx) => listSessions(tx, ownerOf(person), person.sessionId));
  }

  /** Throws `not_found`, also for another user's session and for the current one. */
  async endSession(person: Person, request: RequestInfo, id: string): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await deleteSessionById(tx, ownerOf(person), id, person.sessionId)))
        throw new Refusal('not_found');
      await auditPerson(tx, person, request, 'session.end', { before: { session: id } });
    });
  }

  /** Ends every other session, and the pending sign-ins that used this user's password. */
  async endOtherSessions(person: Person, request: RequestInfo): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      await lockAccount(tx, person.userId);
      await endOtherAccess(tx, person.userId, person.sessionId);
      await auditPerson(tx, person, request, 'session.end_others');
    });
  }

  async events(person: Person): Promise<SecurityEvent[]> {
    const rows = await this.#database.asSystem((tx) => listSecurityEvents(tx, ownerOf(person)));
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }

  /** Checks the password and returns its hash. */
  async #checkPassword(person: Person, password: string, field: string): Promise<string> {
    const key = tries.ownPassword(person.userId);
    await countOrRefuse(this.#database, key, wrongPasswords);
    const hash = await this.#database.asSystem((tx) => readPasswordHash(tx, ownerOf(person)));
    if (!hash || !(await isPasswordOf(password, hash, laneOf(person))))
      throw fieldRefusal(field, 'validation.passwordWrong');
    await this.#database.asSystem((tx) => clearTries(tx, [key]));
    return hash;
  }
}

function assertMayChangeEmail({ mode, isPasswordConfirmed }: Person): void {
  // The email is that of the sign-in: its change belongs in the audit trail that is never wiped.
  if (mode === 'test') throw new Refusal('live_mode_only');
  if (!isPasswordConfirmed) throw new Refusal('password_confirmation_required');
}

/** The user's lane in the queue for password hashing. */
function laneOf({ userId }: Person): string {
  return `user:${userId}`;
}

function ownerOf({ home, userId }: Person): Owner {
  return { merchantId: home.merchantId, userId };
}
