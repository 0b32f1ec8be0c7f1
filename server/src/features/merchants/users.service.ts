import { randomInt } from 'node:crypto';
import { writeAudit } from '#db/audit.ts';
import type { Database, Tx } from '#db/database.ts';
import { clearTries } from '#db/throttle.ts';
import { locksOf } from '#db/throttle-keys.ts';
import { hashUnlockCode } from '#http/session.rules.ts';
import { deleteSessionsOf } from '#http/session.sql.ts';
import { Refusal } from '#refusal.ts';
import { clearSecondFactors, type FoundUser, lockUser, putUnlockCode } from './users.sql.ts';

/** Letters and digits that nobody takes for another on the telephone. */
const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeGroups = 5;
const groupLength = 4;

/** How the service's staff helps people back into their accounts, without mail. Every step leaves a trail. */
export class UserService {
  readonly #database: Database;
  readonly #actor: string;

  constructor(database: Database, actor: string) {
    this.#database = database;
    this.#actor = actor;
  }

  /** Forgets wrong tries: sign-in, second factor and payment password are open again. Throws `not_found`. */
  async unlock(email: string): Promise<void> {
    await this.#help(email, 'user.unlock', (tx, user) => clearTries(tx, locksOf(user.id, user.email)));
  }

  /**
   * Makes a code by which the owner of a locked account comes in, with the password, while others go on guessing: good
   * once and for half an hour. Throws `not_found`.
   */
  async makeUnlockCode(email: string): Promise<string> {
    const code = freshCode();
    await this.#help(email, 'user.unlock_code', (tx, user) => putUnlockCode(tx, user, hashUnlockCode(code)));
    return code;
  }

  /** Forgets the second factors of a user who has lost them, and ends the user's sessions. Throws `not_found`. */
  async resetTwoFactor(email: string): Promise<void> {
    await this.#help(email, 'user.reset_two_factor', async (tx, user) => {
      await clearSecondFactors(tx, user);
      await clearTries(tx, locksOf(user.id, user.email));
      await deleteSessionsOf(tx, user.id);
    });
  }

  /** Ends every session of a user. Throws `not_found`. */
  async signOut(email: string): Promise<void> {
    await this.#help(email, 'user.sign_out', (tx, user) => deleteSessionsOf(tx, user.id));
  }

  async #help(
    email: string,
    action: string,
    work: (tx: Tx, user: FoundUser) => Promise<void>,
  ): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const user = await lockUser(tx, email.trim().normalize('NFKC').toLowerCase());
      if (!user) throw new Refusal('not_found');
      await work(tx, user);
      const subject = `user:${user.id}`;
      await writeAudit(tx, { merchantId: user.merchantId, actor: this.#actor, action, subject });
    });
  }
}

function freshCode(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => codeAlphabet[randomInt(codeAlphabet.length)] ?? '').join('');
  return Array.from({ length: codeGroups }, group).join('-');
}
