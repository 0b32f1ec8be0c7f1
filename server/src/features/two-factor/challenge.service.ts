import type { PasskeyAssertion, PasskeyRequest } from '@hengfu/contract/passkeys';
import type { RequestInfo } from '#caller.ts';
import { writeAudit } from '#db/audit.ts';
import type { Database, Tx } from '#db/database.ts';
import { block, clearTries, countOrRefuse, countTry, readBlock, tooManyAttempts } from '#db/throttle.ts';
import { tries } from '#db/throttle-keys.ts';
import { accountWaitSeconds, sessionLife } from '#http/session.rules.ts';
import { deletePending, findPending, insertSession, type PendingSignIn } from '#http/session.sql.ts';
import { noteSignIn } from '#http/sign-ins.sql.ts';
import { fieldRefusal, type Refusal } from '#refusal.ts';
import type { Secrets } from '#secrets.ts';
import type { PasskeyService } from './passkeys.service.ts';
import { freshCode, openCodes, sealCodes } from './recovery-codes.ts';
import { acceptedStep, codesPerMinute, spendRecoveryCode } from './two-factor.rules.ts';
import { lockFactor, type StoredFactor, saveFactor } from './two-factor.sql.ts';

const minuteSeconds = 60;

/** What is shown as the second factor: a recovery code is looked at first, a passkey last. */
export interface ShownFactor {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyAssertion | undefined;
}

/** The second step of signing in. */
export class ChallengeService {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #passkeys: PasskeyService;

  constructor(database: Database, secrets: Secrets, passkeys: PasskeyService) {
    this.#database = database;
    this.#secrets = secrets;
    this.#passkeys = passkeys;
  }

  /** Which second factors may finish the sign-in that waits under an id; nobody waiting looks like one with an app. */
  async options(waitingId: string | undefined): Promise<{ app: boolean; passkey: PasskeyRequest | null }> {
    if (!waitingId) return { app: true, passkey: null };
    return this.#database.asSystem(async (tx) => {
      const pending = await findPending(tx, waitingId);
      if (!pending) return { app: true, passkey: null };
      const factor = await lockFactor(tx, pending);
      const passkey = await this.#passkeys.request(tx, pending, waitingId);
      return { app: factor.confirmedAt !== null, passkey };
    });
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
      if (!(await this.#accept(tx, { pending, factor, waitingId }, shown))) return false;
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
    const key = tries.challenge(who);
    await countOrRefuse(this.#database, key, { limit: codesPerMinute, windowSeconds: minuteSeconds });
    const blocked = await this.#database.asSystem((tx) => readBlock(tx, tries.challengeInRow(who)));
    if (blocked > 0) throw tooManyAttempts(blocked, codesPerMinute);
  }

  /** Wrong codes in a row slow an account down and lock it, as wrong passwords do. */
  async #slowDown({ userId }: PendingSignIn): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, tries.challengeInRow(String(userId)), null);
      const seconds = accountWaitSeconds(failures);
      if (seconds > 0) await block(tx, tries.challengeInRow(String(userId)), seconds);
    });
  }

  async #accept(
    tx: Tx,
    { pending, factor, waitingId }: { pending: PendingSignIn; factor: StoredFactor; waitingId: string },
    shown: ShownFactor,
  ): Promise<boolean> {
    if (shown.recoveryCode) {
      const codes = openCodes(this.#secrets, factor.codesEncrypted);
      const left = spendRecoveryCode(codes, shown.recoveryCode, freshCode());
      if (left) {
        await saveFactor(tx, pending, { codesEncrypted: sealCodes(this.#secrets, left) });
        return true;
      }
    }
    if (shown.code && (await this.#acceptCode(tx, pending, factor, shown.code))) return true;
    return shown.passkey !== undefined && this.#passkeys.accept(tx, pending, waitingId, shown.passkey);
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
    const own = [tries.challenge(who), tries.challengeInRow(who), tries.account(factor.email)];
    await clearTries(tx, own);
    await insertSession(tx, { sessionId, merchantId, userId, ...sessionLife(remember), address, userAgent });
    await noteSignIn(tx, { merchantId, userId, address, userAgent });
    const action = 'session.sign_in';
    await writeAudit(tx, { merchantId, actor: `user:${userId}`, action, address, requestId });
  }
}

/** Why a sign-in was not finished; the same whether anybody waits for it or not. */
function faultOf({ code, recoveryCode, passkey }: ShownFactor): Refusal {
  if (recoveryCode) return fieldRefusal('recovery_code', 'validation.recoveryCodeWrong');
  if (passkey && !code) return fieldRefusal('passkey', 'validation.passkeyWrong');
  return fieldRefusal('code', code ? 'validation.codeWrong' : 'validation.codeRequired');
}
