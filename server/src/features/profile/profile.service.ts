import {
  type PasswordChange,
  type Profile,
  passwordConfirmedSeconds,
  type SecurityEvent,
} from '@hengfu/contract/profile';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { noticeAccessChange } from '#domain/notices.sql.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { clearTries, countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { endOtherAccess, keepOnlySession, renewSession } from '#http/session.sql.ts';
import { hashPassword, isPasswordOf } from '#security/passwords.ts';
import { isCommonPassword } from './profile.rules.ts';
import {
  deleteSessionById,
  holdUser,
  listSecurityEvents,
  listSessions,
  type Owner,
  readPasswordHash,
  type SessionRow,
  secondsSinceConfirmed,
  updatePassword,
  updateProfile,
} from './profile.sql.ts';

const wrongPasswords = { limit: 5, windowSeconds: 60 };

/** What signed-in users change of themselves and of their access; every change leaves a trail. */
export class ProfileService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Throws `validation_failed` on `email` where somebody else has it. */
  async update(person: Person, request: RequestInfo, profile: Profile): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await updateProfile(tx, ownerOf(person), profile)))
        throw fieldRefusal('email', 'validation.emailTaken');
      const { name, email, ownZone: zone, language } = person;
      const before = { name, email, zone, language };
      await auditPerson(tx, person, request, 'profile.update', { before, after: { ...before, ...profile } });
    });
  }

  /**
   * Changes the login password: this session goes on under a new id, every other one ends. Throws `validation_failed` on
   * `current_password` or `password`, `too_many_attempts`.
   */
  async changePassword(
    person: Person,
    request: RequestInfo,
    change: PasswordChange,
    newSessionId: string,
  ): Promise<void> {
    const from = await this.#checked(person, change.current_password, 'current_password');
    if (change.password === change.current_password)
      throw fieldRefusal('password', 'validation.passwordSame');
    if (isCommonPassword(change.password, person.email))
      throw fieldRefusal('password', 'validation.passwordCommon');
    const to = await hashPassword(change.password, laneOf(person));
    await this.#database.asSystem(async (tx) => {
      if (!(await updatePassword(tx, ownerOf(person), { from, to }))) throw new Refusal('conflict');
      await keepOnlySession(tx, person, newSessionId);
      await noticeAccessChange(tx, person, request, 'password_change');
      await auditPerson(tx, person, request, 'password.change');
    });
  }

  /** Opens sensitive calls for a while, under a new session id. Throws `validation_failed`, `too_many_attempts`. */
  async confirmPassword(
    person: Person,
    request: RequestInfo,
    password: string,
    newSessionId: string,
  ): Promise<void> {
    await this.#checked(person, password, 'password');
    await this.#database.asSystem(async (tx) => {
      const isAlive = await renewSession(tx, person.sessionId, newSessionId, { isConfirmed: true });
      if (!isAlive) throw new Refusal('unauthenticated');
      await auditPerson(tx, person, request, 'password.confirm');
    });
  }

  /** Seconds since the password was confirmed, if not longer ago than `withinSeconds`. */
  async confirmedFor(person: Person, withinSeconds = passwordConfirmedSeconds): Promise<number | undefined> {
    const seconds = await this.#database.asSystem((tx) => secondsSinceConfirmed(tx, person.sessionId), {
      oneStatement: true,
    });
    return seconds !== undefined && seconds < withinSeconds ? seconds : undefined;
  }

  sessions(person: Person): Promise<SessionRow[]> {
    return this.#database.asSystem((tx) => listSessions(tx, ownerOf(person), person.sessionId));
  }

  /** Throws `not_found`, for somebody else's session and for the present one, too. */
  async endSession(person: Person, request: RequestInfo, id: string): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await deleteSessionById(tx, ownerOf(person), id, person.sessionId)))
        throw new Refusal('not_found');
      await auditPerson(tx, person, request, 'session.end', { before: { session: id } });
    });
  }

  /** Ends every other session, and the sign-ins that somebody has begun with this person's password. */
  async endOtherSessions(person: Person, request: RequestInfo): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      await holdUser(tx, ownerOf(person));
      await endOtherAccess(tx, person.userId, person.sessionId);
      await auditPerson(tx, person, request, 'session.end_others');
    });
  }

  async events(person: Person): Promise<SecurityEvent[]> {
    const rows = await this.#database.asSystem((tx) => listSecurityEvents(tx, ownerOf(person)));
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }

  /** The hash of the password, which must be the right one. */
  async #checked(person: Person, password: string, field: string): Promise<string> {
    const key = tries.ownPassword(person.userId);
    await countOrRefuse(this.#database, key, wrongPasswords);
    const hash = await this.#database.asSystem((tx) => readPasswordHash(tx, ownerOf(person)));
    if (!hash || !(await isPasswordOf(password, hash, laneOf(person))))
      throw fieldRefusal(field, 'validation.passwordWrong');
    await this.#database.asSystem((tx) => clearTries(tx, [key]));
    return hash;
  }
}

/** Whose turn it is to have a password hashed. */
function laneOf({ userId }: Person): string {
  return `user:${userId}`;
}

function ownerOf({ home, userId }: Person): Owner {
  return { merchantId: home.merchantId, userId };
}
