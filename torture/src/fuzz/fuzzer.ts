import fc from 'fast-check';
import type { Call } from './call.ts';
import { callsOf } from './calls.ts';
import type { Reply } from './client.ts';
import { firstErrorStatus, type Operation } from './document.ts';
import { codeOf, complaintsOf, type Exchange, jsonOf } from './judge.ts';
import { sentBy } from './sent.ts';
import { bystanderMarker, type FuzzTarget } from './target.ts';

/** Number of calls after which access is restored. */
const restoreEvery = 20;
/** Operations that may change who has access: those of administrators, and those of our staff about a merchant. */
const mayChangeAccess = /^\/api\/(merchant\/team\/members\/|staff\/(merchants|requests)\b)/;
/** Suspends the test merchant that it retires. */
const wiping = 'DELETE /api/merchant/test-mode/data';
const maxShownLength = 700;

/** Sends calls one after the other and collects faults. */
export class Fuzzer {
  readonly faults: string[] = [];
  /** Names of the operations that have succeeded at least once. */
  readonly succeeded = new Set<string>();
  /** By operation name: how often each status and code refused it. */
  readonly refusals = new Map<string, Map<string, number>>();
  sent = 0;
  refused = 0;
  readonly #target: FuzzTarget;
  readonly #known = new Set<string>();
  #hasChangedMembers = false;

  constructor(target: FuzzTarget) {
    this.#target = target;
  }

  /**
   * Tests an operation with `numRuns` calls. Reports each new fault with the smallest call that causes it.
   */
  async try(operation: Operation, numRuns: number, seed: number): Promise<void> {
    await this.#target.access.freeCodes();
    const property = fc.asyncProperty(callsOf(operation), async (call) => {
      const found = (await this.#send(operation, call)).filter(
        (each) => !this.#known.has(`${operation.name} ${each}`),
      );
      if (found.length > 0) throw new Fault(found);
    });
    const result = await fc.check(property, { numRuns, seed });
    if (!result.failed) return;
    const error = result.errorInstance;
    const [call] = result.counterexample ?? [];
    const found = error instanceof Fault ? error.complaints : [String(error)];
    for (const each of found) {
      this.#known.add(`${operation.name} ${each}`);
      this.faults.push(`${operation.name} ${each}: ${call ? formatCall(call) : ''}`);
    }
  }

  /** Sends one call; resolves with the complaints about it. */
  async #send(operation: Operation, call: Call): Promise<string[]> {
    const { changes, access, office, bystander, clients } = this.#target;
    const isDue = this.sent++ % restoreEvery === 0;
    // Administrators may change members, and wipe test data. Any other call that changes permissions is found before access is restored.
    if (isDue && !this.#hasChangedMembers)
      this.faults.push(...(await access.faults()), ...(await office.faults()));
    if (isDue || this.#hasChangedMembers) {
      await access.restore();
      await office.restore();
      await changes.takeNew();
      this.#hasChangedMembers = false;
    }
    const reply = await clients[operation.door].send(sentBy(this.#target, operation, call));
    const exchange: Exchange = { operation, call, reply, changes: await changes.takeNew() };
    if (reply.status >= firstErrorStatus) this.#countRefusal(operation.name, codeOf(reply));
    else {
      // A call of another method or path may have changed access, too.
      if (mayChangeAccess.test(call.path) && call.method !== 'GET') {
        this.#hasChangedMembers = true;
        if (operation.door === 'staff') await access.adoptMerchants();
      }
      if (operation.name === wiping) this.#hasChangedMembers = true;
      if (!call.isElsewhere) this.#learn(operation, reply);
    }
    return complaintsOf(exchange, { marker: bystanderMarker, id: bystander.id });
  }

  #learn({ name, path }: Operation, reply: Reply): void {
    this.succeeded.add(name);
    const json = jsonOf(reply);
    if (json !== undefined) this.#target.pool.learn(path, json);
  }

  #countRefusal(name: string, code: string): void {
    this.refused++;
    const counts = this.refusals.get(name) ?? new Map<string, number>();
    this.refusals.set(name, counts.set(code, (counts.get(code) ?? 0) + 1));
  }
}

/** Thrown for a call with complaints, so that fast-check shrinks it. */
class Fault extends Error {
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(complaints.join('; '));
    this.complaints = complaints;
  }
}

function formatCall({ who, method, path, query, headers, body }: Call): string {
  const text = body instanceof Buffer ? `bytes ${body.toString('hex')}` : body;
  const shown = JSON.stringify({ who, method, path, query, headers, body: text });
  return shown.length > maxShownLength ? `${shown.slice(0, maxShownLength)} …` : shown;
}
