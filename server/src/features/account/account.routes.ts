import type { accountEndpoints, openAccountEndpoints } from '@hengfu/contract/account';
import type { EntryArchive } from '#archive/entry-archive.ts';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { explainBalances, readFigures, readPastFigures } from './account.service.ts';

/** Handlers of the account endpoints: balances now and in the past, and their breakdown. */
export function accountHandlers(
  database: Database,
  entries: EntryArchive,
): Handlers<typeof accountEndpoints> {
  return {
    get: async ({ caller }) => ({ data: await readFigures(database, caller.home) }),
    at: async ({ caller, query }) => ({
      data: await readPastFigures(database, entries, caller.home, query.at),
    }),
    breakdown: async ({ caller }) => ({ data: await explainBalances(database, caller.home) }),
  };
}

/** Handlers of the Open API's account endpoints. */
export function openAccountHandlers(database: Database): Handlers<typeof openAccountEndpoints> {
  return { balance: async ({ caller }) => readFigures(database, caller.home) };
}
