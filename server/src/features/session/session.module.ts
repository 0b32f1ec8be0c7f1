import { sessionEndpoints } from '@hengfu/contract/session';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { sessionHandlers } from './session.routes.ts';
import { SessionService } from './session.service.ts';

/** Signing in and out. */
export function sessionModule({ database }: ModuleDeps) {
  const session = new SessionService(database);
  return {
    services: { session },
    endpoints: (guards) => [feature(sessionEndpoints, sessionHandlers(session, guards))],
  } satisfies FeatureModule;
}
