import fc from 'fast-check';
import type { Call } from './call.ts';
import { callsOf } from './calls.ts';
import { firstErrorStatus, type Operation } from './document.ts';
import { complaints, type Happened, jsonOf } from './judge.ts';
import { sentBy } from './sent.ts';
import { bystandersWords, type FuzzTarget } from './target.ts';

/** After so many calls the doors are opened again. */
const openEvery = 20;
const shownOfCall = 700;

/** Sends calls, one after the other, and keeps what should not have been. */
export class Fuzzer {
  readonly faults: string[] = [];
  readonly answered = new Set<string>();
  sent = 0;
  refused = 0;
  readonly #target: FuzzTarget;
  readonly #known = new Set<string>();

  constructor(target: FuzzTarget) {
    this.#target = target;
  }

  /** Tries an operation so many times; a fault is told by the smallest call that still brings it about. */
  async try(operation: Operation, numRuns: number, seed: number): Promise<void> {
    const property = fc.asyncProperty(callsOf(operation), async (call) => {
      const found = (await this.#judged(operation, call)).filter(
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
      this.faults.push(`${operation.name} ${each}: ${call ? shown(call) : ''}`);
    }
  }

  async #judged(operation: Operation, call: Call): Promise<string[]> {
    const { changes, doors, bystander, pool } = this.#target;
    if (this.sent++ % openEvery === 0) {
      this.faults.push(...(await doors.faults()));
      await doors.open();
      await changes.taken();
    }
    const reply = await this.#target.client.send(sentBy(this.#target, operation, call));
    const happened: Happened = { operation, call, reply, changes: await changes.taken() };
    if (reply.status >= firstErrorStatus) this.refused++;
    else if (!call.isElsewhere) {
      this.answered.add(operation.name);
      const json = jsonOf(reply);
      if (json !== undefined) pool.learn(operation.path, json);
    }
    return complaints(happened, { words: bystandersWords, id: bystander.id });
  }
}

/** A call that should not have been answered so. */
class Fault extends Error {
  readonly complaints: readonly string[];

  constructor(complaints: readonly string[]) {
    super(complaints.join('; '));
    this.complaints = complaints;
  }
}

function shown({ who, method, path, query, headers, body }: Call): string {
  const text = body instanceof Buffer ? `bytes ${body.toString('hex')}` : body;
  const cut = JSON.stringify({ who, method, path, query, headers, body: text });
  return cut.length > shownOfCall ? `${cut.slice(0, shownOfCall)} …` : cut;
}
