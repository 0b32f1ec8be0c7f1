import { type TestCall, testCallsPerMinute } from '@hengfu/contract/test-calls';
import type { Database } from '#db/database.ts';
import { noteReader } from '#domain/access-keys.sql.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import { countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { readOwnerOfLimits } from '#domain/twins.sql.ts';
import { findAccessKey } from '#http/access-key.sql.ts';
import type { Secrets } from '#security/secrets.ts';

/** A call that a person composes. */
export interface ComposedCall {
  keyId: string;
  method: 'GET' | 'POST';
  /** With the query, as it is sent. */
  path: string;
  /** The path as the audit trail keeps it: without its query, and without what may be a secret. */
  shownPath: string;
  idempotencyKey?: string | undefined;
  body?: string | undefined;
}

/** A call with what it is signed with, the address that it comes from, and the language of its reply. */
type SignableCall = ComposedCall & { secret: string } & Pick<RequestInfo, 'address' | 'language'>;
/** Signs a call of the Open API, and makes it within this process. */
type MakeCall = (call: SignableCall) => Promise<TestCall>;

const limit = { limit: testCallsPerMinute, windowSeconds: 60 };

/**
 * Makes signed calls for people in test mode. The secret of the key never leaves the server, and the call passes every check that one of the
 * merchant's own system passes: the key's standing and scopes, the IP whitelist, the limits.
 */
export class TestCallService {
  readonly #database: Database;
  readonly #secrets: Secrets;

  constructor(database: Database, secrets: Secrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** Signs a call and makes it. Throws `too_many_attempts`; `not_found` for a key that is not one of the person's test merchant, or has ended. */
  async send(
    caller: Person,
    composed: ComposedCall,
    request: RequestInfo,
    makeCall: MakeCall,
  ): Promise<TestCall> {
    const { merchantId } = caller.home;
    const owner = await this.#database.asMerchant(merchantId, readOwnerOfLimits, { oneStatement: true });
    await countOrRefuse(this.#database, tries.testCalls(owner), limit);
    const secret = await this.#secretOf(caller, composed.keyId);
    if (composed.method !== 'GET') await this.#record(caller, composed, request);
    const { address, language } = request;
    return makeCall({ ...composed, secret, address, language });
  }

  async #secretOf({ home: { merchantId }, mode }: Person, keyId: string): Promise<string> {
    const key = await this.#database.asSystem((tx) => findAccessKey(tx, keyId), { oneStatement: true });
    const isOwn = key?.home.merchantId === merchantId && mode === 'test' && keyId.startsWith('ak_test_');
    if (!key || !isOwn || key.standing === 'revoked' || key.standing === 'ended')
      throw new Refusal('not_found');
    return this.#secrets.decrypt(key.secretEncrypted);
  }

  /** Records who makes a call that writes: approvals then count the person among those who can use the key. */
  async #record(
    caller: Person,
    { keyId, method, shownPath }: ComposedCall,
    request: RequestInfo,
  ): Promise<void> {
    await this.#database.asSystemFor(caller.home.merchantId, async (tx) => {
      await noteReader(tx, caller, keyId);
      await auditPerson(tx, caller, request, 'test_mode.call', {
        subject: keyId,
        after: { call: `${method} ${shownPath}` },
      });
    });
  }
}
