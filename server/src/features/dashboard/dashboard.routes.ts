import type { dashboardEndpoints } from '@hengfu/contract/dashboard';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { dismissSteps, readAgenda } from './agenda.service.ts';
import { readDashboard, readDashboardOutcomes } from './dashboard.service.ts';

/** Handlers of the dashboard's endpoints. */
export function dashboardHandlers(database: Database): Handlers<typeof dashboardEndpoints> {
  return {
    get: async ({ caller, query }) => ({ data: await readDashboard(database, caller.home, query) }),
    outcomes: async ({ caller, query }) => ({
      data: await readDashboardOutcomes(database, caller.home, query),
    }),
    agenda: async ({ caller }) => ({ data: await readAgenda(database, caller) }),
    dismissFirstSteps: async ({ caller }) => {
      await dismissSteps(database, caller);
      return undefined;
    },
  };
}
