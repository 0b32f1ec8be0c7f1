import * as z from 'zod';
import { examine } from '#callbacks/doctor/doctor.ts';
import { type CallbackHttp, openHttp } from '#callbacks/request.ts';
import type { TargetPolicy } from '#callbacks/target.ts';
import type { Database } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import { holdCount } from '#domain/quota.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import { countOrRefuse } from '#domain/throttle.sql.ts';
import { tries } from '#domain/throttle-keys.ts';
import { readOwnerOfLimits } from '#domain/twins.sql.ts';
import { enqueue, type Task } from '#jobs/jobs.ts';
import type { Secrets } from '#security/secrets.ts';
import { addStep, beginCheck, endCheck, isChecking, takeCheck } from './callback-checks.sql.ts';
import { listEndpoints, lockEndpoint, type StoredCheck } from './callback-endpoints.sql.ts';

const checkTask = 'callbacks.check';
/** Per live merchant, together with its test merchants: a check makes up to four connections. */
const checkLimit = { limit: 5, windowSeconds: 600 };

const payload = z.object({
  merchantId: z.string().regex(/^\d+$/).transform(BigInt),
  endpointId: z.string().regex(/^\d+$/).transform(BigInt),
  runId: z.uuid(),
});

/**
 * Checks endpoints. A worker does it, because only workers call merchants' servers; each step is stored, and shown, as soon as it is done.
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

  /** Starts a check. Throws `not_found`; `check_in_progress`, also for another endpoint of the merchant; `too_many_attempts`. */
  async start(person: Person, request: RequestInfo, id: bigint): Promise<StoredCheck> {
    const { merchantId } = person.home;
    const owner = await this.#database.asMerchant(merchantId, readOwnerOfLimits, { oneStatement: true });
    await countOrRefuse(this.#database, tries.endpointChecks(owner), checkLimit);
    return this.#database.asSystemFor(merchantId, async (tx) => {
      await holdCount(tx, `endpoint checks ${merchantId}`);
      const endpoint = await lockEndpoint(tx, id);
      if (!endpoint) throw new Refusal('not_found');
      if (await isChecking(tx)) throw new Refusal('check_in_progress');
      const runId = await beginCheck(tx, id);
      const { origin: target, hostname: host } = new URL(endpoint.url);
      const given = {
        merchantId: String(merchantId),
        endpointId: String(id),
        runId,
        // Not the target of messages: a check does not wait for their circuit breaker.
        target: `check ${target}`,
        host,
      };
      await enqueue(tx, checkTask, given, { key: `check-endpoint:${id}` });
      await auditPerson(tx, person, request, 'callback_endpoint.check', { subject: endpoint.url });
      tx.changed(merchantId, 'callbacks');
      const [checked] = await listEndpoints(tx, id);
      if (!checked?.check) throw new Refusal('not_found');
      return checked.check;
    });
  }

  readonly tasks: Record<string, Task> = {
    [checkTask]: async (given) => this.#run(payload.parse(given)),
  };

  async #run({ merchantId, endpointId, runId }: z.output<typeof payload>): Promise<void> {
    const due = await this.#database.asSystemFor(merchantId, (tx) => takeCheck(tx, { endpointId, runId }));
    if (!due) return;
    this.#http ??= openHttp(this.#targets);
    const verdict = await examine(
      { url: due.url, secrets: due.secrets.map((secret) => this.#secrets.decrypt(secret)) },
      {
        http: await this.#http,
        targets: this.#targets,
        onStep: (step) =>
          this.#database.asSystemFor(merchantId, async (tx) => {
            await addStep(tx, runId, step);
            tx.changed(merchantId, 'callbacks');
          }),
      },
    );
    await this.#database.asSystemFor(merchantId, async (tx) => {
      await endCheck(tx, runId, verdict);
      tx.changed(merchantId, 'callbacks');
    });
  }
}
