import type { Person, RequestInfo } from '#caller.ts';
import { writeAudit } from '#db/audit.ts';
import type { Database, Tx } from '#db/database.ts';
import { block, clearTries, countOrRefuse, countTry, readBlock, tooManyAttempts } from '#db/throttle.ts';
import { locksOf, tries } from '#db/throttle-keys.ts';
import {
  accountWaitSeconds,
  failuresPerMinute,
  lockAfterFailures,
  sessionLife,
} from '#http/session.rules.ts';
import { deleteSession, insertPending, insertSession } from '#http/session.sql.ts';
import { noteSignIn } from '#http/sign-ins.sql.ts';
import { isPasswordOf, refuseFlood } from '#passwords.ts';
import { fieldRefusal } from '#refusal.ts';
import { findUserByEmail, isUnlockCode, type SignInUser, takeUnlockCode } from './session.sql.ts';

const minuteSeconds = 60;

export interface SignIn {
  email: string;
  password: string;
  remember: boolean;
  /** From the service's staff: opens a locked account to its owner. */
  unlockCode: string | undefined;
}

/** Signing in and out. */
export class SessionService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Counts a try for an email from an address before anything else is looked at. An unlock code goes past the locks.
   * Throws `too_many_attempts`, `too_many_requests`, `validation_failed` on `unlock_code`.
   */
  async countTry(email: string, address: string, unlockCode?: string): Promise<void> {
    refuseFlood(address);
    const pair = tries.signIn(email, address);
    const limit = { limit: failuresPerMinute, windowSeconds: minuteSeconds };
    if (unlockCode) {
      if (await this.#alone((tx) => isUnlockCode(tx, email, unlockCode))) return;
      await countOrRefuse(this.#database, pair, limit);
      throw fieldRefusal('unlock_code', 'validation.unlockCodeWrong');
    }
    const blocked = await this.#alone((tx) => readBlock(tx, tries.account(email)));
    if (blocked > 0) throw tooManyAttempts(blocked, failuresPerMinute);
    await countOrRefuse(this.#database, pair, limit);
  }

  /**
   * Opens a session under the given id, or waits under it for the second factor; answers whether one is to come. A
   * wrong password and an unknown email are answered alike, in the same time. Throws `validation_failed` on `email`.
   */
  async signIn(input: SignIn, sessionId: string, request: RequestInfo): Promise<{ isPending: boolean }> {
    const user = await this.#alone((tx) => findUserByEmail(tx, input.email));
    const isRight = await isPasswordOf(input.password, user?.passwordHash, request.address);
    if (!user || !isRight) {
      await this.#slowDown(input.email, user, request);
      throw fieldRefusal('email', 'session.badCredentials');
    }
    await this.#database.asSystem(async (tx) => {
      await this.#letIn(tx, user, input, request.address);
      if (user.hasTwoFactor) await wait(tx, user, input, sessionId);
      else await open(tx, user, input, sessionId, request);
    });
    return { isPending: user.hasTwoFactor };
  }

  /** Ends a person's session. */
  async signOut(
    { sessionId, userId: id, home: { merchantId } }: Person,
    request: RequestInfo,
  ): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      await deleteSession(tx, sessionId);
      await trail(tx, { id, merchantId }, request, 'session.sign_out', `user:${id}`);
    });
  }

  #alone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.asSystem(work, { oneStatement: true });
  }

  async #slowDown(email: string, user: SignInUser | undefined, request: RequestInfo): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, tries.account(email), null);
      const seconds = accountWaitSeconds(failures);
      if (seconds > 0) await block(tx, tries.account(email), seconds);
      if (user && failures === lockAfterFailures) await trail(tx, user, request, 'session.lock', 'nobody');
    });
  }

  /** The password was right: wrong tries count no more, and an unlock code is used up. */
  async #letIn(tx: Tx, user: SignInUser, { email, unlockCode }: SignIn, address: string): Promise<void> {
    if (unlockCode && !(await takeUnlockCode(tx, user.id, unlockCode)))
      throw fieldRefusal('unlock_code', 'validation.unlockCodeWrong');
    const cleared = [tries.signIn(email, address)];
    if (unlockCode) cleared.push(...locksOf(user.id, email));
    else if (!user.hasTwoFactor) cleared.push(tries.account(email));
    await clearTries(tx, cleared);
  }
}

function wait(tx: Tx, user: SignInUser, { remember }: SignIn, sessionId: string): Promise<void> {
  return insertPending(tx, sessionId, { merchantId: user.merchantId, userId: user.id, remember });
}

async function open(
  tx: Tx,
  user: SignInUser,
  { remember }: SignIn,
  sessionId: string,
  request: RequestInfo,
): Promise<void> {
  const { address, userAgent } = request;
  const owner = { merchantId: user.merchantId, userId: user.id };
  await insertSession(tx, { sessionId, ...owner, ...sessionLife(remember), address, userAgent });
  await noteSignIn(tx, { ...owner, address, userAgent });
  await trail(tx, user, request, 'session.sign_in', `user:${user.id}`);
}

async function trail(
  tx: Tx,
  { id, merchantId }: Pick<SignInUser, 'id' | 'merchantId'>,
  { address, id: requestId }: RequestInfo,
  action: string,
  actor: string,
): Promise<void> {
  await writeAudit(tx, { merchantId, actor, action, subject: `user:${id}`, address, requestId });
}
