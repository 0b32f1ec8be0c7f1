import type { RequestInfo } from '#caller.ts';
import { writeAudit } from '#db/audit.ts';
import type { Database } from '#db/database.ts';
import { deleteSession, insertSession } from '#http/session.sql.ts';
import { isPasswordOf } from '#passwords.ts';
import { fieldRefusal, Refusal } from '#refusal.ts';
import { accountWaitSeconds, failuresPerMinute, sessionLife } from './session.rules.ts';
import {
  block,
  clearTries,
  countTry,
  findUserByEmail,
  readBlock,
  type SignInUser,
  throttleKey,
} from './session.sql.ts';

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

  /**
   * Opens a session under the given id. A wrong password and an unknown email are answered alike, in the same time.
   * Throws `too_many_attempts`, or `validation_failed` on `email`.
   */
  async signIn(input: SignIn, sessionId: string, request: RequestInfo): Promise<void> {
    const pairKey = throttleKey('sign-in', input.email, request.address);
    const accountKey = throttleKey('account', input.email);
    await this.#throttle(pairKey, accountKey);
    const user = await this.#database.asSystem((tx) => findUserByEmail(tx, input.email));
    const isRight = await isPasswordOf(input.password, user?.passwordHash);
    if (!user || !isRight) {
      await this.#slowDown(accountKey);
      throw fieldRefusal('email', 'session.badCredentials');
    }
    await this.#open(user, input, sessionId, request, [pairKey, accountKey]);
  }

  /** Ends a session. */
  async signOut(sessionId: string): Promise<void> {
    await this.#database.asSystem((tx) => deleteSession(tx, sessionId));
  }

  async #throttle(pairKey: Buffer, accountKey: Buffer): Promise<void> {
    const waitSeconds = await this.#database.asSystem(async (tx) => {
      const blocked = await readBlock(tx, accountKey);
      if (blocked > 0) return blocked;
      const pair = await countTry(tx, pairKey, minuteSeconds);
      return pair.failures > failuresPerMinute ? Math.max(pair.waitSeconds, 1) : 0;
    });
    if (waitSeconds > 0) {
      throw new Refusal('too_many_attempts', {
        values: { seconds: waitSeconds },
        retryAfterSeconds: waitSeconds,
      });
    }
  }

  async #slowDown(accountKey: Buffer): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, accountKey, null);
      const seconds = accountWaitSeconds(failures);
      if (seconds > 0) await block(tx, accountKey, seconds);
    });
  }

  async #open(
    user: SignInUser,
    input: SignIn,
    sessionId: string,
    request: RequestInfo,
    throttleKeys: readonly Buffer[],
  ): Promise<void> {
    const { address, userAgent, id: requestId } = request;
    await this.#database.asSystem(async (tx) => {
      await clearTries(tx, throttleKeys);
      const owner = { merchantId: user.merchantId, userId: user.id };
      await insertSession(tx, { sessionId, ...owner, ...sessionLife(input.remember), address, userAgent });
      const actor = `user:${user.id}`;
      await writeAudit(tx, {
        merchantId: user.merchantId,
        actor,
        action: 'session.sign_in',
        address,
        requestId,
      });
    });
  }
}
