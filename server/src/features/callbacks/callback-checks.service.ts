import * as z from 'zod';
import { examine } from '#callbacks/doctor/doctor.ts';
import { type CallbackHttp, openHttp, signerOf } from '#callbacks/request.ts';
import type { TargetPolicy } from '#callbacks/target.ts';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { holdCount } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { readOwnerOfLimits } from '#domain/twins.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import type { Secrets } from '#security/secrets.ts';
import {
  beginAddressCheck,
  type KeyAddress,
  listAddresses,
  takeAddressCheck,
} from './callback-addresses.sql.ts';
import {
  addStep,
  beginCheck,
  type CheckTable,
  type DueCheck,
  endCheck,
  isChecking,
  type StoredCheck,
  takeCheck,
} from './callback-checks.sql.ts';
import { listEndpoints, lockEndpoint } from './callback-endpoints.sql.ts';

const checkTask = 'callbacks.check';
const addressTask = 'callbacks.checkAddress';
/** Per live merchant, together with its test merchants: a check makes up to four connections. */
const checkLimit = { limit: 5, windowSeconds: 600 };

const merchantId = z.string().regex(/^\d+$/).transform(BigInt);
const payload = z.object({
  merchantId,
  endpointId: z.string().regex(/^\d+$/).transform(BigInt),
  runId: z.uuid(),
});
const addressPayload = z.object({ merchantId, keyId: z.string(), runId: z.uuid() });

/** A check that has begun, with the address that it is of. */
interface Begun {
  url: string;
  task: string;
  /** The payload of its job, and the job's key. */
  given: Record<string, string>;
  key: string;
  audit: 'callback_endpoint.check' | 'callback_address.check';
  /** Reads the check as it is stored. */
  read: () => Promise<StoredCheck | null | undefined>;
}

/** A check that its job makes. */
interface Run {
  merchantId: bigint;
  table: CheckTable;
  runId: string;
  due: DueCheck | undefined;
  /** Returns what signs messages, by a decrypted secret. */
  signerOf: (secret: string) => string;
}

/**
 * Checks endpoints, and callback URLs of access keys. A worker does it, because only workers call merchants' servers; each step is stored,
 * and shown, as soon as it is done.
 */
export class CallbackChecks {
  readonly #database: Database;
  readonly #secrets: Secrets;
  readonly #targets: TargetPolicy;
  #http: Promise<CallbackHttp> | undefined;

  constructor(database: Database, secrets: Secrets, targets: TargetPolicy) {
    this.#database = database;
    this.#secrets = secrets;
    this.#targets = targets;
  }

  /** Lists the callback URLs of the merchant's live keys with their last checks. */
  listAddresses(id: bigint): Promise<KeyAddress[]> {
    return this.#database.asMerchant(id, (tx) => listAddresses(tx), { oneStatement: true });
  }

  /** Starts a check of an endpoint. Throws `not_found`; `check_in_progress`, also for another check of the merchant; `too_many_attempts`. */
  start(person: Person, request: RequestInfo, id: bigint): Promise<StoredCheck> {
    return this.#start(person, request, async (tx) => {
      const endpoint = await lockEndpoint(tx, id);
      if (!endpoint) throw new Refusal('not_found');
      return async () => ({
        url: endpoint.url,
        task: checkTask,
        given: { endpointId: String(id), runId: await beginCheck(tx, id) },
        key: `check-endpoint:${id}`,
        audit: 'callback_endpoint.check',
        read: async () => (await listEndpoints(tx, id))[0]?.check,
      });
    });
  }

  /** Starts a check of the callback URL of a key. Throws as {@link start} does. */
  startOfAddress(person: Person, request: RequestInfo, keyId: string): Promise<StoredCheck> {
    return this.#start(person, request, async (tx) => {
      const [address] = await listAddresses(tx, keyId);
      if (!address) throw new Refusal('not_found');
      return async () => ({
        url: address.url,
        task: addressTask,
        given: { keyId, runId: await beginAddressCheck(tx, address) },
        key: `check-address:${keyId}`,
        audit: 'callback_address.check',
        read: async () => (await listAddresses(tx, keyId))[0]?.check,
      });
    });
  }

  /** Starts a check. `find` returns what begins it, so that nothing is recorded while another one is in progress. */
  async #start(
    person: Person,
    request: RequestInfo,
    find: (tx: MerchantTx) => Promise<() => Promise<Begun>>,
  ): Promise<StoredCheck> {
    const { merchantId: id } = person.home;
    const owner = await this.#database.asMerchant(id, readOwnerOfLimits, { oneStatement: true });
    await countOrRefuse(this.#database, tries.endpointChecks(owner), checkLimit);
    return this.#database.asSystemFor(id, async (tx) => {
      await holdCount(tx, `endpoint checks ${id}`);
      const begin = await find(tx);
      if (await isChecking(tx)) throw new Refusal('check_in_progress');
      const { url, task, given, key, audit, read } = await begin();
      const { origin, hostname: host } = new URL(url);
      // Not the target of messages: a check does not wait for their circuit breaker.
      await enqueue(tx, task, { ...given, merchantId: String(id), target: `check ${origin}`, host }, { key });
      await auditPerson(tx, person, request, audit, { subject: url });
      tx.changed(id, 'callbacks');
      const check = await read();
      if (!check) throw new Refusal('not_found');
      return check;
    });
  }

  readonly tasks: Record<string, Task> = {
    [checkTask]: async (given) => {
      const { merchantId: id, endpointId, runId } = payload.parse(given);
      const due = await this.#database.asSystemFor(id, (tx) => takeCheck(tx, { endpointId, runId }));
      await this.#run({
        merchantId: id,
        table: 'callback_check',
        runId,
        due,
        signerOf: (secret) => secret,
      });
    },
    // A name of its own, because a process of an earlier version knows no checks of callback URLs.
    [addressTask]: async (given) => {
      const { merchantId: id, keyId, runId } = addressPayload.parse(given);
      const due = await this.#database.asSystemFor(id, (tx) => takeAddressCheck(tx, { keyId, runId }));
      await this.#run({ merchantId: id, table: 'callback_address_check', runId, due, signerOf });
    },
  };

  async #run({ merchantId: id, table, runId, due, signerOf: toSigner }: Run): Promise<void> {
    if (!due) return;
    this.#http ??= openHttp(this.#targets);
    const verdict = await examine(
      { url: due.url, secrets: due.secrets.map((secret) => toSigner(this.#secrets.decrypt(secret))) },
      {
        http: await this.#http,
        targets: this.#targets,
        onStep: (step) =>
          this.#database.asSystemFor(id, async (tx) => {
            await addStep(tx, table, runId, step);
            tx.changed(id, 'callbacks');
          }),
      },
    );
    await this.#database.asSystemFor(id, async (tx) => {
      await endCheck(tx, table, runId, verdict);
      tx.changed(id, 'callbacks');
    });
  }
}
