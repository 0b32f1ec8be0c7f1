import { Archiver } from '#archive/archiver.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { AuditSealService, sealRecurring } from './audit-seal.service.ts';
import { Outside } from './outside.ts';
import { SealVerifier } from './seal-verifier.ts';
import { Sealer } from './sealer.ts';

/** Seals the audit trail with a key that no database holds. */
export function auditSealModule({ database, archive, auditRoots, secrets }: ModuleDeps) {
  const outside = new Outside(auditRoots, secrets);
  const auditSeal = new AuditSealService({
    database,
    outside,
    sealer: new Sealer(database, outside),
    verifier: new SealVerifier(database, outside, new Archiver(database, archive)),
  });
  return {
    services: { auditSeal },
    tasks: { own: auditSeal.tasks },
    recurring: sealRecurring,
  } satisfies FeatureModule;
}
