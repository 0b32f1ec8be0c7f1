import type { EndpointShape } from '@hengfu/contract/endpoint';
import { requestLimits } from '@hengfu/contract/endpoint';
import type { Caller } from '@hengfu/torture/fuzz/call.ts';
import { rightCalls } from '@hengfu/torture/fuzz/calls.ts';
import type { Operation } from '@hengfu/torture/fuzz/document.ts';
import { sentBy } from '@hengfu/torture/fuzz/sent.ts';
import type { FuzzTarget } from '@hengfu/torture/fuzz/target.ts';
import type { Random } from '@hengfu/torture/torture.ts';
import fc from 'fast-check';
import { bodyShapes } from './hostile-bodies.ts';
import { type Genes, headShapes } from './hostile-shapes.ts';
import type { Pulse } from './pulse.ts';

/** A call that may be expensive. */
interface Candidate {
  operation: Operation;
  who: Caller;
  shape: string;
  genes: Genes;
  /** Seed of the valid call from which it is made. */
  seed: number;
}

/** A candidate, and how long it delayed other calls. */
export interface Costly {
  candidate: Candidate;
  heldMs: number;
}

const shapes = { ...headShapes, ...bodyShapes };
const headNames = Object.keys(headShapes);
const bodyNames = Object.keys(bodyShapes);
/** Restores sessions, keys and throttles after this many calls, or many calls would only be refused. */
const openEvery = 20;
/** The search mutates the calls of this many of the costliest routes, in turn. */
const mutatedRoutes = 24;
const largestNumber = 10_000;

/** Searches for the calls that block the product the longest. */
export class HostileSearch {
  readonly #target: FuzzTarget;
  readonly #pulse: Pulse;
  readonly #random: Random;
  readonly #limits: ReadonlyMap<string, number>;
  readonly #worst = new Map<string, Costly>();
  tried = 0;

  constructor(target: FuzzTarget, pulse: Pulse, random: Random, endpoints: readonly EndpointShape[]) {
    this.#target = target;
    this.#pulse = pulse;
    this.#random = random;
    this.#limits = new Map(
      endpoints.map(({ method, path, bodyLimitBytes }) => [
        `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
        bodyLimitBytes ?? requestLimits.bodyBytes,
      ]),
    );
  }

  /** The costliest call of each route so far, in descending order. */
  get worst(): Costly[] {
    return [...this.#worst.values()].sort((one, other) => other.heldMs - one.heldMs);
  }

  /** Tries every shape once with every operation. */
  async sweep(operations: readonly Operation[]): Promise<void> {
    for (const operation of operations) {
      const names = operation.body ? [...headNames, ...bodyNames] : headNames;
      for (const shape of names) await this.#try(this.#fresh(operation, shape));
    }
  }

  /** Hill climbing for some seconds: mutates the costliest calls and keeps what costs more; random restarts. */
  async climb(operations: readonly Operation[], seconds: number): Promise<void> {
    const endsAt = performance.now() + seconds * 1000;
    for (let turn = 0; performance.now() < endsAt; turn++) {
      const found = this.worst[turn % mutatedRoutes];
      if (!found || this.#random.percent(20)) {
        const operation = this.#random.of(operations);
        const names = operation.body ? [...headNames, ...bodyNames] : headNames;
        await this.#try(this.#fresh(operation, this.#random.of(names)));
      } else await this.#try(this.#mutated(found.candidate));
    }
  }

  /** Measures a call again several times. The minimum counts, since other work can only add time. */
  async remeasure({ candidate }: Costly, times: number): Promise<Costly> {
    const held: number[] = [];
    for (let time = 0; time < times; time++) held.push(await this.#measure(candidate));
    return { candidate, heldMs: Math.min(...held) };
  }

  async #try(candidate: Candidate): Promise<void> {
    const { name } = candidate.operation;
    const before = this.#worst.get(name)?.heldMs ?? 0;
    let heldMs = await this.#measure(candidate);
    // A new maximum must be confirmed by a second measurement.
    if (heldMs > before) heldMs = Math.min(heldMs, await this.#measure(candidate));
    if (heldMs > before) this.#worst.set(name, { candidate, heldMs });
  }

  async #measure({ operation, who, shape, genes, seed }: Candidate): Promise<number> {
    const { clients, access } = this.#target;
    if (this.tried++ % openEvery === 0) await access.restore();
    const [valid] = fc.sample(rightCalls(operation), { numRuns: 1, seed });
    if (!valid) throw new Error('no call was generated');
    const call = shapes[shape]?.({ ...valid, who }, operation, genes) ?? valid;
    const sent = sentBy(this.#target, operation, call);
    return this.#pulse.longestWait(() => clients.merchants.send(sent).catch(() => undefined));
  }

  #fresh(operation: Operation, shape: string): Candidate {
    const genes = {
      field: this.#number(),
      text: this.#number(),
      share: 1,
      limitBytes: this.#limits.get(operation.name) ?? requestLimits.bodyBytes,
    };
    return { operation, who: this.#caller(operation), shape, genes, seed: this.#number() };
  }

  #mutated(candidate: Candidate): Candidate {
    const genes = { ...candidate.genes };
    const { operation } = candidate;
    switch (this.#random.between(0, 4)) {
      case 0:
        genes.field = this.#number();
        break;
      case 1:
        genes.text = this.#number();
        break;
      case 2:
        genes.share = this.#random.between(1, 10) / 10;
        break;
      case 3:
        return { ...candidate, seed: this.#number() };
      default:
        return this.#fresh(
          operation,
          this.#random.of(operation.body ? [...headNames, ...bodyNames] : headNames),
        );
    }
    return { ...candidate, genes };
  }

  #caller({ access }: Operation): Caller {
    if (access === 'signed') return 'program';
    if (access === 'public') return this.#random.of(['visitor', 'nobody']);
    return this.#random.of(['admin', 'admin', 'bound', 'nobody']);
  }

  #number(): number {
    return this.#random.between(0, largestNumber);
  }
}
