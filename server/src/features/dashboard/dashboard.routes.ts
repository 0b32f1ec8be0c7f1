import type { dashboardEndpoints } from '@hengfu/contract/dashboard';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { readDashboard } from './dashboard.service.ts';

/** Handlers of the dashboard endpoint. */
export function dashboardHandlers(database: Database): Handlers<typeof dashboardEndpoints> {
  return { get: async ({ caller }) => ({ data: await readDashboard(database, caller.home) }) };
}
