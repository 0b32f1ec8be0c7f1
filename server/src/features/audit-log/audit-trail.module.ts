import { auditTrailEndpoints } from '@hengfu/contract/staff/audit-trail';
import { feature } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { auditTrailHandlers } from './trail/trail.routes.ts';
import { AuditTrail } from './trail/trail.service.ts';

/** The audit trail of the service and of all merchants in the back office. */
export function auditTrailModule({ database }: StaffDeps) {
  return {
    services: {},
    endpoints: () => [feature(auditTrailEndpoints, auditTrailHandlers(new AuditTrail(database)))],
  } satisfies StaffModule;
}
