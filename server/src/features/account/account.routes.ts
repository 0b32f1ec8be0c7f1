import type { accountEndpoints, openAccountEndpoints } from '@hengfu/contract/account';
import type { Database } from '#db/database.ts';
import type { Handlers } from '#http/bind.ts';
import { explain, readFigures } from './account.service.ts';

/** The figures of the account, now and before, and what they are made of. */
export function accountHandlers(database: Database): Handlers<typeof accountEndpoints> {
  return {
    get: async ({ caller }) => ({ data: await readFigures(database, caller.home) }),
    at: async ({ caller, query }) => ({ data: await readFigures(database, caller.home, query.at) }),
    breakdown: async ({ caller }) => ({ data: await explain(database, caller.home) }),
  };
}

/** The same for a merchant's programs. */
export function openAccountHandlers(database: Database): Handlers<typeof openAccountEndpoints> {
  return { balance: async ({ caller }) => readFigures(database, caller.home) };
}
