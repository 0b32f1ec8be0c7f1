import type { SecondFactor } from '@hengfu/contract/authentication';
import type { PasskeyAssertion, PasskeyRequest } from '@hengfu/contract/passkeys';
import type { Database, Tx } from '#db/database.ts';
import { rolesOf, writeAudit } from '#domain/audit.sql.ts';
import type { RequestInfo } from '#domain/caller.ts';
import { fieldRefusal, type Refusal } from '#domain/refusal.ts';
import {
  block,
  clearTries,
  countOrRefuse,
  countTry,
  readBlock,
  tooManyAttempts,
} from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { deletePending, findPending } from '#http/pending-sign-in.sql.ts';
import { accountWaitSeconds, sessionLife } from '#http/session.rules.ts';
import { findSession, insertSession, renewSession } from '#http/session.sql.ts';
import { noteSignIn } from '#http/sign-ins.sql.ts';
import { addressGroup } from '#security/address-group.ts';
import type { Secrets } from '#security/secrets.ts';
import { acceptedStep, codesPerMinute } from '#security/totp.rules.ts';
import type { PasskeyService } from './passkeys/passkeys.service.ts';
import { freshCode, openCodes, sealCodes } from './recovery-codes.ts';
import { spendRecoveryCode } from './two-factor.rules.ts';
import { lockFactor, type StoredFactor, saveFactor } from './two-factor.sql.ts';

const minuteSeconds = 60;

/** A presented second factor. A recovery code is checked first, a passkey last. */
export interface PresentedFactor {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyAssertion | undefined;
}

/**
 * A person who still has to pass a second factor: while signing in, or in a session that has not passed it.
 */
interface PendingSignIn {
  merchantId: bigint;
  userId: bigint;
  /** Set while signing in; absent if a session is open. */
  remember?: boolean;
  /** False if the person has to choose one of several merchants next. */
  isChosen: boolean;
}

/** Completes sign-ins with a second factor. */
export class ChallengeService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #passkeys: PasskeyService;

  constructor(database: Database, secrets: Secrets, passkeys: PasskeyService) {
    this.#database = database;
    this.#secrets = secrets;
    this.#passkeys = passkeys;
  }

  /**
   * Returns the second factors that can complete a pending sign-in. Without one, the reply is that of an app.
   */
  async options(pendingId: string | undefined): Promise<{ app: boolean; passkey: PasskeyRequest | null }> {
    if (!pendingId) return { app: true, passkey: null };
    return this.#database.asSystem(async (tx) => {
      const pending = await findPendingSignIn(tx, pendingId);
      if (!pending) return { app: true, passkey: null };
      const factor = await lockFactor(tx, pending);
      const passkey = await this.#passkeys.request(tx, pending, pendingId);
      return { app: factor.confirmedAt !== null, passkey };
    });
  }

  /**
   * Completes the sign-in that is pending under the old id, and opens a session under a new one. Throws
   * `validation_failed` on `code` or `recovery_code` (also without a pending sign-in), `too_many_attempts`.
   * After a failure, the sign-in stays pending. Returns the id of the user.
   */
  async pass(
    pendingId: string | undefined,
    sessionId: string,
    presented: PresentedFactor,
    request: RequestInfo,
  ): Promise<bigint> {
    // Nothing was presented, so there is nothing to count.
    if (!presented.code && !presented.recoveryCode && !presented.passkey) throw faultOf(presented);
    const pending = pendingId && (await this.#database.asSystem((tx) => findPendingSignIn(tx, pendingId)));
    await this.#throttle(
      pending ? String(pending.userId) : `nobody at ${addressGroup(request.address).caller}`,
    );
    if (!pendingId || !pending) throw faultOf(presented);
    const isPassed = await this.#database.asSystem(async (tx) => {
      const factor = await lockFactor(tx, pending);
      const secondFactor = await this.#accept(tx, { pending, factor, pendingId }, presented);
      if (secondFactor === undefined) return false;
      const opened = await this.#open(tx, { pending, factor, pendingId, sessionId, secondFactor }, request);
      // The sign-in is no longer pending. Throwing rolls back, so that the code is not used up.
      if (!opened) throw faultOf(presented);
      return true;
    });
    if (isPassed) return pending.userId;
    await this.#slowDown(pending);
    throw faultOf(presented);
  }

  async #throttle(who: string): Promise<void> {
    const key = tries.challenge(who);
    await countOrRefuse(this.#database, key, { limit: codesPerMinute, windowSeconds: minuteSeconds });
    const blocked = await this.#database.asSystem((tx) => readBlock(tx, tries.challengeInRow(who)));
    if (blocked > 0) throw tooManyAttempts(blocked, codesPerMinute);
  }

  /** Delays and then locks an account after consecutive wrong codes, as after wrong passwords. */
  async #slowDown({ userId }: PendingSignIn): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, tries.challengeInRow(String(userId)), null);
      const seconds = accountWaitSeconds(failures);
      if (seconds > 0) await block(tx, tries.challengeInRow(String(userId)), seconds);
    });
  }

  async #accept(
    tx: Tx,
    { pending, factor, pendingId }: { pending: PendingSignIn; factor: StoredFactor; pendingId: string },
    presented: PresentedFactor,
  ): Promise<SecondFactor | undefined> {
    if (presented.recoveryCode) {
      const codes = openCodes(this.#secrets, factor.codesEncrypted);
      const left = spendRecoveryCode(codes, presented.recoveryCode, freshCode());
      if (left) {
        await saveFactor(tx, pending, { codesEncrypted: sealCodes(this.#secrets, left) });
        return 'recoveryCode';
      }
    }
    if (presented.code && (await this.#acceptCode(tx, pending, factor, presented.code))) return 'app';
    const isPasskey =
      presented.passkey && (await this.#passkeys.accept(tx, pending, pendingId, presented.passkey));
    return isPasskey ? 'passkey' : undefined;
  }

  async #acceptCode(tx: Tx, pending: PendingSignIn, factor: StoredFactor, code: string): Promise<boolean> {
    const { secretEncrypted, confirmedAt, lastStep, now } = factor;
    if (!secretEncrypted || !confirmedAt) return false;
    const secret = this.#secrets.decrypt(secretEncrypted);
    const step = acceptedStep(secret, code, now.getTime(), lastStep);
    if (step === undefined) return false;
    await saveFactor(tx, pending, { lastStep: BigInt(step) });
    return true;
  }

  /**
   * Opens a session for a pending sign-in, or raises the level of an open one. Returns false if either has
   * ended in the meantime, or if a concurrent request with another valid factor was faster.
   */
  async #open(
    tx: Tx,
    passed: {
      pending: PendingSignIn;
      factor: StoredFactor;
      pendingId: string;
      sessionId: string;
      secondFactor: SecondFactor;
    },
    { address, userAgent, id: requestId }: RequestInfo,
  ): Promise<boolean> {
    const { pending, factor, pendingId, sessionId, secondFactor } = passed;
    const { merchantId, userId, remember, isChosen } = pending;
    if (remember === undefined) {
      if (!(await renewSession(tx, pendingId, sessionId, { secondFactor }))) return false;
    } else {
      if (!(await deletePending(tx, pendingId))) return false;
      const life = sessionLife(remember);
      const opened = { sessionId, merchantId, userId, secondFactor, isChosen };
      await insertSession(tx, { ...opened, ...life, address, userAgent });
    }
    const who = String(userId);
    await clearTries(tx, [tries.challenge(who), tries.challengeInRow(who), tries.account(factor.email)]);
    await noteSignIn(tx, { userId, address, userAgent });
    // The merchant that is chosen records it.
    if (!isChosen) return true;
    const after = { secondFactor };
    const action = 'session.sign_in';
    const roles = await rolesOf(tx, merchantId, userId);
    await writeAudit(tx, {
      merchantId,
      actor: `user:${userId}`,
      roles,
      action,
      address,
      userAgent,
      requestId,
      after,
    });
    return true;
  }
}

/** Finds the person who still has to pass a second factor under a session id. */
async function findPendingSignIn(tx: Tx, id: string): Promise<PendingSignIn | undefined> {
  const pending = await findPending(tx, id);
  if (pending) return pending;
  const open = await findSession(tx, id);
  if (open?.person.level !== 'password') return undefined;
  const { home, userId, isChosen } = open.person;
  return { merchantId: home.merchantId, userId, isChosen };
}

/** Returns the refusal of a failed challenge, which is the same with and without a pending sign-in. */
function faultOf({ code, recoveryCode, passkey }: PresentedFactor): Refusal {
  if (recoveryCode) return fieldRefusal('recovery_code', 'validation.recoveryCodeWrong');
  if (passkey && !code) return fieldRefusal('passkey', 'validation.passkeyWrong');
  return fieldRefusal('code', code ? 'validation.codeWrong' : 'validation.codeRequired');
}
