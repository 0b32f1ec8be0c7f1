import type { RecordedAction } from '@hengfu/contract/audit-log';
import type { Database, Tx } from '#db/database.ts';
import { holdAccount } from '#domain/accounts.sql.ts';
import { rolesOf, writeAudit } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { fieldRefusal } from '#domain/refusal.ts';
import { clearTries, countOrRefuse } from '#domain/throttle.sql.ts';
import { locksOf, tries } from '#domain/throttle-keys.ts';
import { countTriedAccount, forgetTriedAccount } from '#domain/tried-accounts.sql.ts';
import { countWrongPassword, refuseLocked } from '#http/account-lock.sql.ts';
import { insertPending } from '#http/pending-sign-in.sql.ts';
import { failuresPerMinute, sessionLife, triedAccountLimits } from '#http/session.rules.ts';
import { deleteSession, insertSession } from '#http/session.sql.ts';
import { noteSignIn } from '#http/sign-ins.sql.ts';
import { addressGroup } from '#security/address-group.ts';
import { isPasswordOf, refuseFlood } from '#security/passwords.ts';
import { countUnlockCode, findUserByEmail, type SignInUser, takeUnlockCode } from './session.sql.ts';

const minuteSeconds = 60;

/** The origin of a sign-in. */
export interface SignInOrigin {
  address: string;
  /** Returns whether a user has signed in with this browser before; undefined if nobody has. */
  knows: ((userId: bigint) => boolean) | undefined;
}

export interface SignIn extends Pick<SignInOrigin, 'knows'> {
  email: string;
  password: string;
  remember: boolean;
  /** From an operator; lets the owner into a locked account. */
  unlockCode: string | undefined;
  /** This browser's session that never passed its second factor; signing in ends it. */
  replaced?: string | undefined;
}

/** The origin of a sign-in, with regard to its account. */
interface Source {
  email: string;
  address: string;
  /** The account has signed in with this browser before. */
  isKnown: boolean;
}

/** Signing in and out. */
export class SessionService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Counts an attempt for an email from an address before anything else is checked. An unlock code bypasses
   * the locks, for as many attempts as it allows. Throws `too_many_attempts`, `too_many_requests`,
   * `validation_failed` on `unlock_code`.
   */
  async countTry(email: string, { address, knows }: SignInOrigin, unlockCode?: string): Promise<void> {
    const user = knows && (await this.#oneStatement((tx) => findUserByEmail(tx, email)));
    const source = { email, address, isKnown: isKnown(user, knows) };
    refuseFlood(laneOf(source));
    const pair = pairOf(source);
    const limit = { limit: failuresPerMinute, windowSeconds: minuteSeconds };
    if (unlockCode) {
      if (await this.#oneStatement((tx) => countUnlockCode(tx, email, unlockCode))) return;
      await countOrRefuse(this.#database, pair, limit);
      throw fieldRefusal('unlock_code', 'validation.unlockCodeWrong');
    }
    await this.#oneStatement((tx) => refuseLocked(tx, email));
    if (email && !source.isKnown) await countTriedAccount(this.#database, address, email, triedAccountLimits);
    await countOrRefuse(this.#database, pair, limit);
  }

  /**
   * Opens a session under the given id, or a pending sign-in if a second factor follows (`isPending`).
   * `isComplete` is false if anything is still to come: a merchant may have to be chosen, or a second factor that it requires
   * bound. A wrong password and an unknown email get the same reply in the same time. Throws
   * `validation_failed` on `email`, `too_many_attempts`.
   */
  async signIn(
    input: SignIn,
    sessionId: string,
    request: RequestInfo,
  ): Promise<{ isPending: boolean; isComplete: boolean; userId: bigint }> {
    const { email, password, knows } = input;
    const { address } = request;
    const user = await this.#oneStatement((tx) => findUserByEmail(tx, email));
    const source = { email, address, isKnown: isKnown(user, knows) };
    const isRight = await isPasswordOf(password, user?.passwordHash, laneOf(source));
    // Concurrent attempts may have locked the account meanwhile; together they must not exceed the limit.
    if (!input.unlockCode) await this.#oneStatement((tx) => refuseLocked(tx, email));
    if (!user || !isRight) {
      await this.#countFailure(email, user, request);
      throw fieldRefusal('email', 'session.badCredentials');
    }
    const isPending = await this.#database.asSystem(async (tx) => {
      const hasTwoFactor = await this.#hasFactorNow(tx, email, user);
      await this.#clearFailures(tx, { ...user, hasTwoFactor }, input, pairOf(source));
      if (input.replaced) await deleteSession(tx, input.replaced);
      if (hasTwoFactor) await openPending(tx, user, input, sessionId);
      else await openSession(tx, user, input, sessionId, request);
      return hasTwoFactor;
    });
    if (!source.isKnown) await forgetTriedAccount(this.#database, address, email, triedAccountLimits);
    return {
      isPending,
      isComplete: !isPending && !user.isFactorRequired && !user.mustChoose,
      userId: user.id,
    };
  }

  /** Ends a person's session. */
  async signOut(
    { sessionId, userId: id, isChosen, home: { merchantId } }: Person,
    request: RequestInfo,
  ): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      await deleteSession(tx, sessionId);
      // No merchant was chosen, so none has seen the person sign in.
      if (!isChosen) return;
      await auditSignIn(tx, { id, merchantId }, request, 'session.sign_out', `user:${id}`);
    });
  }

  #oneStatement<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.asSystem(work, { oneStatement: true });
  }

  /**
   * Whether the user has a second factor; locks the user's row until the transaction ends. Hashing takes
   * time: a password changed or a factor bound meanwhile is seen here. A later change waits for the lock, and
   * then ends what is opened here.
   */
  async #hasFactorNow(tx: Tx, email: string, { id, passwordHash }: SignInUser): Promise<boolean> {
    await holdAccount(tx, id);
    const user = await findUserByEmail(tx, email);
    if (user?.id !== id || user.passwordHash !== passwordHash)
      throw fieldRefusal('email', 'session.badCredentials');
    return user.hasTwoFactor;
  }

  async #countFailure(email: string, user: SignInUser | undefined, request: RequestInfo): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if ((await countWrongPassword(tx, email)) && user)
        await auditSignIn(tx, user, request, 'session.lock', 'nobody');
    });
  }

  /** Clears failed attempts after the right password, and uses up an unlock code. */
  async #clearFailures(tx: Tx, user: SignInUser, { email, unlockCode }: SignIn, pair: Buffer): Promise<void> {
    if (unlockCode && !(await takeUnlockCode(tx, user.id, unlockCode)))
      throw fieldRefusal('unlock_code', 'validation.unlockCodeWrong');
    const cleared = [pair];
    if (unlockCode) cleared.push(...locksOf(user.id, email));
    else if (!user.hasTwoFactor) cleared.push(tries.account(email));
    await clearTries(tx, cleared);
  }
}

function isKnown(user: SignInUser | undefined, knows: SignInOrigin['knows']): boolean {
  return user !== undefined && (knows?.(user.id) ?? false);
}

/**
 * The lane in the queue for password hashing: a flood from an address does not hold up its known browsers.
 */
function laneOf({ email, address, isKnown }: Source): string {
  return isKnown ? `known browsers of ${email}` : addressGroup(address).caller;
}

/** The key under which attempts for an email are counted. */
function pairOf({ email, address, isKnown }: Source): Buffer {
  return tries.signIn(email, isKnown ? 'known browsers' : addressGroup(address).caller);
}

function openPending(tx: Tx, user: SignInUser, { remember }: SignIn, sessionId: string): Promise<void> {
  return insertPending(tx, sessionId, { userId: user.id, remember });
}

async function openSession(
  tx: Tx,
  user: SignInUser,
  { remember }: SignIn,
  sessionId: string,
  request: RequestInfo,
): Promise<void> {
  const { address, userAgent } = request;
  const owner = { merchantId: user.merchantId, userId: user.id };
  await insertSession(tx, {
    ...owner,
    ...sessionLife(remember),
    sessionId,
    address,
    userAgent,
    secondFactor: null,
    isChosen: !user.mustChoose,
  });
  await noteSignIn(tx, { userId: user.id, address, userAgent });
  // The merchant that is chosen records it.
  if (user.mustChoose) return;
  await auditSignIn(tx, user, request, 'session.sign_in', `user:${user.id}`);
}

/** Audits an event of an account before its user is a signed-in caller. */
async function auditSignIn(
  tx: Tx,
  { id, merchantId }: Pick<SignInUser, 'id' | 'merchantId'>,
  { address, userAgent, id: requestId }: RequestInfo,
  action: RecordedAction,
  actor: string,
): Promise<void> {
  const subject = `user:${id}`;
  const roles = actor === subject ? await rolesOf(tx, merchantId, id) : [];
  await writeAudit(tx, { merchantId, actor, roles, action, subject, address, userAgent, requestId });
}
