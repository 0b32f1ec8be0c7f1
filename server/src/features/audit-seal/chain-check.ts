import type { Database } from '#db/database.ts';
import { listRoots, listSealedNumbers, listSeals, readRoot } from './audit-seal.sql.ts';
import type { Outside } from './outside.ts';
import { type AcceptedLoss, hashOf, type OutsideRoot, type Root } from './root.rules.ts';
import { isCoveredBy, isKeptBy, numberAfter } from './standing.rules.ts';

const rootsAtOnce = 500;
const lowestNumber = -(2n ** 63n);
/** A root is outside a moment after it is in the database. */
const maxLagMs = 60_000;

/** The findings of {@link ChainCheck.run}. */
export interface Chain {
  /** Sentences that name what was altered or removed. */
  faults: string[];
  roots: number;
  first: Root | undefined;
  losses: readonly AcceptedLoss[];
}

/** Proves that the roots and their seals are as they were made, and that none is missing. */
export class ChainCheck {
  readonly #database: Database;
  readonly #outside: Outside;
  readonly #now: () => Date;

  constructor(database: Database, outside: Outside, now: () => Date) {
    this.#database = database;
    this.#outside = outside;
    this.#now = now;
  }

  /** Follows the chain from the first root to the last, and compares it with the copies outside. */
  async run(last: Root | undefined): Promise<Chain> {
    const { found: losses, faults } = await this.#outside.losses();
    const chain: Chain = { faults: [...faults], roots: 0, first: undefined, losses };
    await this.#followRoots(last, chain);
    await this.#findStraySeals(last, chain);
    await this.#compareOutside(last, chain);
    return chain;
  }

  async #followRoots(last: Root | undefined, chain: Chain): Promise<void> {
    let previous: Root | undefined;
    for (;;) {
      const range = { after: previous?.number ?? 0n, upTo: last?.number ?? 0n, limit: rootsAtOnce };
      const roots = await this.#database.asSystem((tx) => listRoots(tx, range));
      const end = roots.at(-1);
      if (!end) break;
      // Also seals between the roots, where an accepted loss has left numbers unused.
      const from = previous ? previous.number + 1n : lowestNumber;
      const seals = await this.#database.asSystem((tx) => listSeals(tx, from, end.number));
      const byRoot = Map.groupBy(seals, ({ rootNumber }) => rootNumber);
      for (const root of roots) {
        chain.first ??= root;
        const reason = breakBetween(previous, root, chain.losses);
        if (reason !== undefined) chain.faults.push(`root ${root.number} ${reason}`);
        const ofRoot = byRoot.get(root.number) ?? [];
        byRoot.delete(root.number);
        const areOfRoot = ofRoot.every(({ fromId, toId }) => fromId === root.fromId && toId === root.toId);
        if (!(areOfRoot && hashOf({ ...root, previous }, ofRoot).equals(root.sha256)))
          chain.faults.push(`root ${root.number}, or one of its seals, was altered`);
        previous = root;
        chain.roots++;
      }
      for (const number of byRoot.keys()) chain.faults.push(strayFault(number));
    }
    // Each root contains the hash of the one before: the HMAC of the last one proves them all, those of former keys, too.
    if (previous && !this.#outside.isOurs(previous))
      chain.faults.push(`root ${previous.number}, the last one, was not made with this APP_KEY`);
  }

  /** Finds seals above the last root, unless another process has made their root in the meantime. */
  async #findStraySeals(last: Root | undefined, { faults }: Chain): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      for (const number of await listSealedNumbers(tx, last?.number ?? lowestNumber))
        if (!(await readRoot(tx, number))) faults.push(strayFault(number));
    });
  }

  async #compareOutside(last: Root | undefined, { faults, losses }: Chain): Promise<void> {
    const { found: copies, faults: unreadable } = await this.#outside.all();
    faults.push(...unreadable);
    for (const copy of copies) {
      const root = await this.#database.asSystem((tx) => readRoot(tx, copy.number));
      const isSame = root?.sha256.toString('hex') === copy.sha256;
      if (!(isSame || losses.some((loss) => isCoveredBy(loss, copy)))) faults.push(copyFault(copy, root));
    }
    const lagMs = last ? this.#now().getTime() - last.sealedAt.getTime() : 0;
    if (last && lagMs > maxLagMs && (copies.at(-1)?.number ?? 0n) < last.number)
      faults.push(`root ${last.number}, the last one, has no copy outside`);
  }
}

const strayFault = (number: bigint) => `seals were added that name root ${number}, which does not exist`;

function copyFault({ number, sealedAt }: OutsideRoot, root: Root | undefined): string {
  return root
    ? `root ${number} differs from its copy outside`
    : `root ${number} of ${sealedAt} is known outside, and missing: the end of the audit trail was cut off, or the database was restored to an earlier moment`;
}

/** Says why a root cannot follow another; undefined if it can. */
function breakBetween(
  previous: Root | undefined,
  root: Root,
  losses: readonly AcceptedLoss[],
): string | undefined {
  const before = previous?.number ?? 0n;
  const isNext = root.number === before + 1n;
  const follows = losses.some((loss) => isKeptBy(loss, previous) && numberAfter(loss) === root.number);
  if (root.previousNumber !== (previous?.number ?? null) || !(isNext || follows))
    return `does not follow root ${before}: roots were removed`;
  if (previous && root.fromId !== previous.toId) return `does not begin where root ${before} ends`;
  return undefined;
}
