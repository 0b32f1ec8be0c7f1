import type { RequestInfo } from '#caller.ts';
import { writeAudit } from '#db/audit.ts';
import type { Database, Tx } from '#db/database.ts';
import {
  block,
  clearTries,
  countOrRefuse,
  countTry,
  readBlock,
  throttleKey,
  tooManyAttempts,
} from '#db/throttle.ts';
import { accountWaitSeconds, sessionLife } from '#http/session.rules.ts';
import { deletePending, findPending, insertSession, type PendingSignIn } from '#http/session.sql.ts';
import { fieldRefusal, type Refusal } from '#refusal.ts';
import type { Secrets } from '#secrets.ts';
import { acceptedStep, codesPerMinute, spendRecoveryCode } from './two-factor.rules.ts';
import { freshCode } from './two-factor.service.ts';
import { lockFactor, type StoredFactor, saveFactor } from './two-factor.sql.ts';

const minuteSeconds = 60;

/** What is shown as the second factor: a recovery code is looked at first. */
export interface ShownFactor {
  code?: string | undefined;
  recoveryCode?: string | undefined;
}

/** The second step of signing in. */
export class ChallengeService {
  readonly #database: Database;
  readonly #secrets: Secrets;

  constructor(database: Database, secrets: Secrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /**
   * Opens a session under a new id for who waits under the old one. Throws `validation_failed` on `code` or
   * `recovery_code` (also where nobody waits), `too_many_attempts`. Who waits goes on waiting after a failure.
   */
  async pass(
    waitingId: string | undefined,
    sessionId: string,
    shown: ShownFactor,
    request: RequestInfo,
  ): Promise<void> {
    const pending = waitingId && (await this.#database.asSystem((tx) => findPending(tx, waitingId)));
    await this.#throttle(pending ? String(pending.userId) : `nobody at ${request.address}`);
    if (!waitingId || !pending) throw faultOf(shown);
    const isPassed = await this.#database.asSystem(async (tx) => {
      const factor = await lockFactor(tx, pending);
      if (!(await this.#accept(tx, pending, factor, shown))) return false;
      // Two requests may show two different right factors at once: one session comes of one sign-in.
      if (!(await deletePending(tx, waitingId))) return false;
      await this.#open(tx, pending, factor, sessionId, request);
      return true;
    });
    if (isPassed) return;
    await this.#slowDown(pending);
    throw faultOf(shown);
  }

  async #throttle(who: string): Promise<void> {
    const key = throttleKey('challenge', who);
    await countOrRefuse(this.#database, key, { limit: codesPerMinute, windowSeconds: minuteSeconds });
    const blocked = await this.#database.asSystem((tx) => readBlock(tx, lockKeyOf(who)));
    if (blocked > 0) throw tooManyAttempts(blocked, codesPerMinute);
  }

  /** Wrong codes in a row slow an account down and lock it, as wrong passwords do. */
  async #slowDown({ userId }: PendingSignIn): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, lockKeyOf(String(userId)), null);
      const seconds = accountWaitSeconds(failures);
      if (seconds > 0) await block(tx, lockKeyOf(String(userId)), seconds);
    });
  }

  async #accept(tx: Tx, pending: PendingSignIn, factor: StoredFactor, shown: ShownFactor): Promise<boolean> {
    const { secretEncrypted, codesEncrypted, lastStep, now } = factor;
    if (shown.recoveryCode && codesEncrypted) {
      const codes: string[] = JSON.parse(this.#secrets.decrypt(codesEncrypted));
      const left = spendRecoveryCode(codes, shown.recoveryCode, freshCode());
      if (left) {
        await saveFactor(tx, pending, { codesEncrypted: this.#secrets.encrypt(JSON.stringify(left)) });
        return true;
      }
    }
    if (!shown.code || !secretEncrypted) return false;
    const secret = this.#secrets.decrypt(secretEncrypted);
    const step = acceptedStep(secret, shown.code, now.getTime(), lastStep);
    if (step === undefined) return false;
    await saveFactor(tx, pending, { lastStep: BigInt(step) });
    return true;
  }

  async #open(
    tx: Tx,
    pending: PendingSignIn,
    factor: StoredFactor,
    sessionId: string,
    request: RequestInfo,
  ): Promise<void> {
    const { merchantId, userId, remember } = pending;
    const { address, userAgent, id: requestId } = request;
    const who = String(userId);
    const own = [throttleKey('challenge', who), lockKeyOf(who), throttleKey('account', factor.email)];
    await clearTries(tx, own);
    await insertSession(tx, { sessionId, merchantId, userId, ...sessionLife(remember), address, userAgent });
    const action = 'session.sign_in';
    await writeAudit(tx, { merchantId, actor: `user:${userId}`, action, address, requestId });
  }
}

const lockKeyOf = (who: string) => throttleKey('challenge in a row', who);

/** Why a sign-in was not finished; the same whether anybody waits for it or not. */
function faultOf({ code, recoveryCode }: ShownFactor): Refusal {
  if (recoveryCode) return fieldRefusal('recovery_code', 'validation.recoveryCodeWrong');
  return fieldRefusal('code', code ? 'validation.codeWrong' : 'validation.codeRequired');
}
