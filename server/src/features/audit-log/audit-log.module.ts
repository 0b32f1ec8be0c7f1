import { auditEndpoints } from '@hengfu/contract/audit-log';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { auditLogHandlers } from './audit-log.routes.ts';
import { AuditLogService } from './audit-log.service.ts';

/** The audit log: who did what at a merchant. */
export function auditLogModule({ database, entries }: ModuleDeps) {
  const auditLog = new AuditLogService(database, entries);
  return {
    services: { auditLog },
    endpoints: () => [feature(auditEndpoints, auditLogHandlers(auditLog))],
  } satisfies FeatureModule;
}
