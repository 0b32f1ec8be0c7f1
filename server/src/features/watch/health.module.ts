import { healthEndpoints } from '@hengfu/contract/staff/health';
import { feature, type Handlers } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { HealthService } from './health/health.service.ts';

/** The state of jobs, proofs, seals and backups in the back office. */
export function healthModule({ database, archiving }: StaffDeps) {
  return {
    services: {},
    endpoints: () => [feature(healthEndpoints, healthHandlers(new HealthService(database, archiving)))],
  } satisfies StaffModule;
}

function healthHandlers(service: HealthService): Handlers<typeof healthEndpoints> {
  return {
    get: async () => {
      const { queues, proofs, seal, backups, archiving } = await service.read();
      const text = (at: Date | null | undefined) => at?.toISOString() ?? null;
      return {
        data: {
          at: new Date().toISOString(),
          queues,
          proofs: proofs.map(({ begunAt, endedAt, violations }) => ({
            begunAt: begunAt.toISOString(),
            endedAt: endedAt.toISOString(),
            violations,
          })),
          seal: {
            number: seal.number === null ? null : String(seal.number),
            sealedAt: text(seal.sealedAt),
            unsealedSeconds: seal.unsealedSeconds,
          },
          backups: {
            lastBackupAt: text(backups.lastBackupAt),
            lastBaseAt: text(archiving?.newestBaseAt),
            waitingSegments: archiving?.waitingSegments ?? null,
            lastWalAt: text(backups.lastWalAt),
            walFailures: backups.walFailures,
          },
        },
      };
    },
  };
}
