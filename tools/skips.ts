import type { Fault, StageResult } from './stage.ts';

/** Name of the one check that needs answers from the package registry, which not every registry gives. */
export const registryCheckName = 'supply chain';

/**
 * Kinds of obstacles that a build server may meet, as they begin the reason of a skip (`privilege: only root can run it`).
 * A skip of another kind, or without one, is never tolerated there.
 */
type TolerableKind = 'package' | 'privilege' | 'history' | 'network';

interface AllowedSkip {
  /** Start of the name of what is skipped. */
  readonly name: string;
  readonly kinds: readonly TolerableKind[];
}

const torture = (name: string) => `torture/src/tortures.test.ts › ${name}`;

/** What a build server may leave out, and for which kind of reason. Anything else that is skipped there fails the run. */
export const mayBeSkipped: readonly AllowedSkip[] = [
  // A mirror of the registry need not know signatures or advisories.
  { name: registryCheckName, kinds: ['network'] },
  { name: 'server/src/process/pooling.test.ts', kinds: ['package'] },
  { name: 'server/src/features/exports/spreadsheets.test.ts', kinds: ['package'] },
  {
    name: 'server/src/db/embedded/cluster-location.test.ts › the location of root’s cluster',
    kinds: ['privilege'],
  },
  { name: 'server/src/db/embedded/binaries.test.ts › the binaries of root’s cluster', kinds: ['privilege'] },
  { name: torture('clock'), kinds: ['package'] },
  // Root of a container may lack the right to mount; a container's kernel may lack loop devices.
  { name: torture('disk'), kinds: ['package', 'privilege'] },
  { name: torture('power'), kinds: ['package', 'privilege'] },
  // A checkout may be shallow, or its commits rewritten; the version before is installed from the registry.
  { name: torture('upgrade'), kinds: ['package', 'history', 'network'] },
];

/**
 * How the installation of system packages ended, as `.ci/install-packages` prints it and `.ci/run` hands on in
 * SYSTEM_PACKAGES. A missing package is tolerated only where it could not be installed: without the right to, or without
 * apt's server.
 */
export const packagesMayBeMissing = (outcome: string | undefined): boolean =>
  outcome === 'not-permitted' || outcome === 'unreachable';

/** Turns each skip that is not allowed into a failure that names it. For build servers: at a desk, skips only count. */
export function refuseSkips(
  result: StageResult,
  systemPackages: string | undefined,
  allowed: readonly AllowedSkip[] = mayBeSkipped,
): StageResult {
  const { skipped = [], faults = [] } = result;
  const isTolerated = (kind: string) => kind !== 'package' || packagesMayBeMissing(systemPackages);
  const isAllowed = (skip: Fault) =>
    allowed.some(
      ({ name, kinds }) =>
        skip.name.startsWith(name) &&
        kinds.some((kind) => skip.message.startsWith(`${kind}: `) && isTolerated(kind)),
    );
  const refused = skipped.filter((skip) => !isAllowed(skip));
  return {
    ...result,
    failed: result.failed + refused.length,
    faults: [
      ...faults,
      ...refused.map(({ name, message }) => ({
        name,
        message: `skipped on a build server, where it must run: ${message}`,
      })),
    ],
    skipped: skipped.filter(isAllowed),
  };
}
