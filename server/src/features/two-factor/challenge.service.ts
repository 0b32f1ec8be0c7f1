import type { SecondFactor } from '@hengfu/contract/authentication';
import type { PasskeyAssertion, PasskeyRequest } from '@hengfu/contract/passkeys';
import type { Database, Tx } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
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
import type { PasskeyService } from './passkeys/passkeys.service.ts';
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

/** Somebody who has still to pass a second factor: in a sign-in under way, or in a session that has not passed it. */
interface Waiting {
  merchantId: bigint;
  userId: bigint;
  /** Of a sign-in under way; absent where a session is open. */
  remember?: boolean;
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
      const pending = await findWaiting(tx, waitingId);
      if (!pending) return { app: true, passkey: null };
      const factor = await lockFactor(tx, pending);
      const passkey = await this.#passkeys.request(tx, pending, waitingId);
      return { app: factor.confirmedAt !== null, passkey };
    });
  }

  /**
   * Opens a session under a new id for who waits under the old one. Throws `validation_failed` on `code` or
   * `recovery_code` (also where nobody waits), `too_many_attempts`. Who waits goes on waiting after a failure. Returns
   * the number of the user who came in.
   */
  async pass(
    waitingId: string | undefined,
    sessionId: string,
    shown: ShownFactor,
    request: RequestInfo,
  ): Promise<bigint> {
    const pending = waitingId && (await this.#database.asSystem((tx) => findWaiting(tx, waitingId)));
    await this.#throttle(
      pending ? String(pending.userId) : `nobody at ${addressGroup(request.address).caller}`,
    );
    if (!waitingId || !pending) throw faultOf(shown);
    const isPassed = await this.#database.asSystem(async (tx) => {
      const factor = await lockFactor(tx, pending);
      const secondFactor = await this.#accept(tx, { pending, factor, waitingId }, shown);
      if (secondFactor === undefined) return false;
      const opened = await this.#open(tx, { pending, factor, waitingId, sessionId, secondFactor }, request);
      // Nobody waits any more: the code is not used up.
      if (!opened) throw faultOf(shown);
      return true;
    });
    if (isPassed) return pending.userId;
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
  async #slowDown({ userId }: Waiting): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      const { failures } = await countTry(tx, tries.challengeInRow(String(userId)), null);
      const seconds = accountWaitSeconds(failures);
      if (seconds > 0) await block(tx, tries.challengeInRow(String(userId)), seconds);
    });
  }

  async #accept(
    tx: Tx,
    { pending, factor, waitingId }: { pending: Waiting; factor: StoredFactor; waitingId: string },
    shown: ShownFactor,
  ): Promise<SecondFactor | undefined> {
    if (shown.recoveryCode) {
      const codes = openCodes(this.#secrets, factor.codesEncrypted);
      const left = spendRecoveryCode(codes, shown.recoveryCode, freshCode());
      if (left) {
        await saveFactor(tx, pending, { codesEncrypted: sealCodes(this.#secrets, left) });
        return 'recoveryCode';
      }
    }
    if (shown.code && (await this.#acceptCode(tx, pending, factor, shown.code))) return 'app';
    const isPasskey = shown.passkey && (await this.#passkeys.accept(tx, pending, waitingId, shown.passkey));
    return isPasskey ? 'passkey' : undefined;
  }

  async #acceptCode(tx: Tx, pending: Waiting, factor: StoredFactor, code: string): Promise<boolean> {
    const { secretEncrypted, confirmedAt, lastStep, now } = factor;
    if (!secretEncrypted || !confirmedAt) return false;
    const secret = this.#secrets.decrypt(secretEncrypted);
    const step = acceptedStep(secret, code, now.getTime(), lastStep);
    if (step === undefined) return false;
    await saveFactor(tx, pending, { lastStep: BigInt(step) });
    return true;
  }

  /**
   * Opens a session for a sign-in under way, or raises the one that waited. False where that has ended meanwhile, or
   * another request was faster: two may show two different right factors at once.
   */
  async #open(
    tx: Tx,
    passed: {
      pending: Waiting;
      factor: StoredFactor;
      waitingId: string;
      sessionId: string;
      secondFactor: SecondFactor;
    },
    { address, userAgent, id: requestId }: RequestInfo,
  ): Promise<boolean> {
    const { pending, factor, waitingId, sessionId, secondFactor } = passed;
    const { merchantId, userId, remember } = pending;
    if (remember === undefined) {
      if (!(await renewSession(tx, waitingId, sessionId, { secondFactor }))) return false;
    } else {
      if (!(await deletePending(tx, waitingId))) return false;
      const life = sessionLife(remember);
      await insertSession(tx, { sessionId, merchantId, userId, ...life, address, userAgent, secondFactor });
    }
    const who = String(userId);
    await clearTries(tx, [tries.challenge(who), tries.challengeInRow(who), tries.account(factor.email)]);
    await noteSignIn(tx, { merchantId, userId, address, userAgent });
    const after = { secondFactor };
    const action = 'session.sign_in';
    await writeAudit(tx, { merchantId, actor: `user:${userId}`, action, address, requestId, after });
    return true;
  }
}

/** Who has still to pass a second factor under the id that a browser sent. */
async function findWaiting(tx: Tx, id: string): Promise<Waiting | undefined> {
  const pending = await findPending(tx, id);
  if (pending) return pending;
  const open = await findSession(tx, id);
  if (open?.person.level !== 'password') return undefined;
  return { merchantId: open.person.home.merchantId, userId: open.person.userId };
}

/** Why a sign-in was not finished; the same whether anybody waits for it or not. */
function faultOf({ code, recoveryCode, passkey }: ShownFactor): Refusal {
  if (recoveryCode) return fieldRefusal('recovery_code', 'validation.recoveryCodeWrong');
  if (passkey && !code) return fieldRefusal('passkey', 'validation.passkeyWrong');
  return fieldRefusal('code', code ? 'validation.codeWrong' : 'validation.codeRequired');
}
