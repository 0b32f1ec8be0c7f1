import type { RequestInfo } from '#caller.ts';
import { writeAudit } from '#db/audit.ts';
import type { Database } from '#db/database.ts';
import {
  block,
  clearTries,
  countOrRefuse,
  countTry,
  readBlock,
  throttleKey,
  tooManyAttempts,
} from '#db/throttle.ts';
import { accountWaitSeconds, failuresPerMinute, sessionLife } from '#http/session.rules.ts';
import { deleteSession, insertPending, insertSession } from '#http/session.sql.ts';
import { isPasswordOf } from '#passwords.ts';
import { fieldRefusal } from '#refusal.ts';
import { findUserByEmail, type SignInUser } from './session.sql.ts';

const minuteSeconds = 60;

export interface SignIn {
  email: string;
  password: string;
  remember: boolean;
}

/** Signing in and out. */
export class SessionService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Counts a try for an email from an address before anything else is looked at. Throws `too_many_attempts`. */
  async countTry(email: string, address: string): Promise<void> {
    const blocked = await this.#database.asSystem((tx) => readBlock(tx, accountKeyOf(email)), {
      oneStatement: true,
    });
    if (blocked > 0) throw tooManyAttempts(blocked, failuresPerMinute);
    await countOrRefuse(this.#database, pairKeyOf(email, address), {
      limit: failuresPerMinute,
      windowSeconds: minuteSeconds,
    });
  }

  /**
   * Opens a session under the given id, or waits under it for the second factor; answers whether one is to come. A
   * wrong password and an unknown email are answered alike, in the same time. Throws `validation_failed` on `email`.
   */
  async signIn(input: SignIn, sessionId: string, request: RequestInfo): Promise<{ isPending: boolean }> {
    const user = await this.#database.asSystem((tx) => findUserByEmail(tx, input.email), {
      oneStatement: true,
    });
    const isRight = await isPasswordOf(input.password, user?.passwordHash);
    if (!user || !isRight) {
      await this.#slowDown(accountKeyOf(input.email));
      throw fieldRefusal('email', 'session.badCredentials');
    }
    if (user.hasTwoFactor) await this.#wait(user, input, sessionId, request);
    else await this.#open(user, input, sessionId, request);
    return { isPending: user.hasTwoFactor };
  }

  /** Ends a session. */
  async signOut(sessionId: string): Promise<void> {
    await this.#database.asSystem((tx) => deleteSession(tx, sessionId), { oneStatement: true });
  }

  async #slowDown(accountKey: Buffer): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, accountKey, null);
      const seconds = accountWaitSeconds(failures);
      if (seconds > 0) await block(tx, accountKey, seconds);
    });
  }

  async #wait(user: SignInUser, input: SignIn, sessionId: string, request: RequestInfo): Promise<void> {
    const { remember, email } = input;
    await this.#database.asSystem(async (tx) => {
      await clearTries(tx, [pairKeyOf(email, request.address)]);
      await insertPending(tx, sessionId, { merchantId: user.merchantId, userId: user.id, remember });
    });
  }

  async #open(user: SignInUser, input: SignIn, sessionId: string, request: RequestInfo): Promise<void> {
    const { address, userAgent, id: requestId } = request;
    const { email, remember } = input;
    await this.#database.asSystem(async (tx) => {
      await clearTries(tx, [pairKeyOf(email, address), accountKeyOf(email)]);
      const owner = { merchantId: user.merchantId, userId: user.id };
      await insertSession(tx, { sessionId, ...owner, ...sessionLife(remember), address, userAgent });
      const actor = `user:${user.id}`;
      const action = 'session.sign_in';
      await writeAudit(tx, { merchantId: user.merchantId, actor, action, address, requestId });
    });
  }
}

const pairKeyOf = (email: string, address: string) => throttleKey('sign-in', email, address);
const accountKeyOf = (email: string) => throttleKey('account', email);
