import type { StageResult, TestNote } from './stage.ts';

/** Name of the one check that queries the package registry; not every registry supports its queries. */
export const registryCheckName = 'supply chain';

/**
 * Kinds of reasons for which a build server may skip something. A skip's reason starts with its kind
 * (`privilege: only root can run it`); any other kind, or none, is never tolerated there.
 */
type TolerableKind = 'package' | 'privilege' | 'history' | 'network';

interface AllowedSkip {
  /** Prefix of the name of the skipped test or check. */
  readonly name: string;
  readonly kinds: readonly TolerableKind[];
}

const torture = (name: string) => `torture/src/tortures.test.ts › ${name}`;

/** Tests and checks that a build server may skip, with the tolerated kinds. Any other skip fails its run. */
export const allowedSkips: readonly AllowedSkip[] = [
  // A mirror of the registry may not provide signatures or advisories.
  { name: registryCheckName, kinds: ['network'] },
  // The controls in a browser, if Chromium can't be installed.
  { name: 'ui', kinds: ['package'] },
  // The libraries whose toolchain can't be installed; the one for TypeScript always runs.
  { name: 'sdk › Python', kinds: ['package'] },
  { name: 'sdk › Go', kinds: ['package'] },
  { name: 'sdk › PHP', kinds: ['package'] },
  { name: 'sdk › Java', kinds: ['package'] },
  { name: 'server/src/process/pooling.test.ts', kinds: ['package'] },
  { name: 'server/src/features/exports/spreadsheets.test.ts', kinds: ['package'] },
  {
    name: 'server/src/db/embedded/cluster-location.test.ts › the location of root’s cluster',
    kinds: ['privilege'],
  },
  { name: 'server/src/db/embedded/binaries.test.ts › the binaries of root’s cluster', kinds: ['privilege'] },
  { name: torture('clock'), kinds: ['package'] },
  // In a container, root may lack the privilege to mount, and the kernel may lack loop devices.
  { name: torture('disk'), kinds: ['package', 'privilege'] },
  { name: torture('power'), kinds: ['package', 'privilege'] },
  // Network, process and mount namespaces need a privilege that root of a container may lack.
  { name: 'torture/src/tortures.alone.test.ts › failover', kinds: ['package', 'privilege'] },
  // A checkout may be shallow, or its history rewritten; the previous version is installed from the registry.
  { name: torture('upgrade'), kinds: ['package', 'history', 'network'] },
];

/**
 * Whether a missing package is tolerated: only if it could not be installed, for lack of permission or of a
 * connection to apt's server.
 * @param outcome what `.ci/install-packages` printed, which `.ci/run` passes in SYSTEM_PACKAGES
 */
export const packagesMayBeMissing = (outcome: string | undefined): boolean =>
  outcome === 'not-permitted' || outcome === 'unreachable';

/** Turns each skip that is not allowed into a failure, for build servers; elsewhere skips only count. */
export function refuseSkips(
  result: StageResult,
  systemPackages: string | undefined,
  allowed: readonly AllowedSkip[] = allowedSkips,
): StageResult {
  const { skipped = [], failures = [] } = result;
  const isTolerated = (kind: string) => kind !== 'package' || packagesMayBeMissing(systemPackages);
  const isAllowed = (skip: TestNote) =>
    allowed.some(
      ({ name, kinds }) =>
        skip.name.startsWith(name) &&
        kinds.some((kind) => skip.message.startsWith(`${kind}: `) && isTolerated(kind)),
    );
  const refused = skipped.filter((skip) => !isAllowed(skip));
  return {
    ...result,
    failed: result.failed + refused.length,
    failures: [
      ...failures,
      ...refused.map(({ name, message }) => ({
        name,
        message: `skipped on a build server, where it must run: ${message}`,
      })),
    ],
    skipped: skipped.filter(isAllowed),
  };
}
