import type { staffAccountEndpoints } from '@hengfu/contract/staff/accounts';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { AccountList } from './account-list.ts';
import type { AccountRequests } from './account-requests.ts';

/** Handles the calls about the accounts of our staff. */
export function accountHandlers(
  accounts: AccountList,
  requests: AccountRequests,
): Handlers<typeof staffAccountEndpoints> {
  const asked = (request: bigint | undefined) => {
    // Only an operator acts alone.
    if (request === undefined) throw new Error('a change of an account was not asked for');
    return { data: { request: String(request) } };
  };
  return {
    list: async ({ caller }) => ({
      data: (await accounts.list(caller)).map(({ id, createdAt, lastSignInAt, disabledAt, ...account }) => ({
        ...account,
        id: String(id),
        createdAt: createdAt.toISOString(),
        lastSignInAt: lastSignInAt?.toISOString() ?? null,
        disabledAt: disabledAt?.toISOString() ?? null,
      })),
    }),
    create: async ({ caller: member, request, body: { reason, ...staff } }) =>
      asked(await requests.ask({ what: 'create', ...staff }, { member, request }, reason)),
    roles: async ({ caller: member, request, params, body: { roles, reason } }) => {
      const email = await requests.emailOf(BigInt(params.id));
      return asked(await requests.ask({ what: 'roles', email, roles }, { member, request }, reason));
    },
    access: async ({ caller: member, request, params, body: { change, reason } }) => {
      const email = await requests.emailOf(BigInt(params.id));
      return asked(await requests.ask({ what: change, email }, { member, request }, reason));
    },
    part: async ({ caller: member, request, params }) => {
      const email = await requests.emailOf(BigInt(params.id));
      const [part] = await requests.takeParts(email, { member, request });
      if (!part) throw new Refusal('not_found');
      return { data: part };
    },
  };
}
