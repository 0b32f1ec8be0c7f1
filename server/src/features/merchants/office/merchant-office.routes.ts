import type { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import type { Handlers } from '#http/bind.ts';
import type { MerchantOffice } from './merchant-office.service.ts';
import { toAccess, toActions, toDetail, toLink, toPeople, toRow } from './merchant-office.view.ts';
import { toTerms } from './terms.view.ts';

/** Handles the calls of our staff about merchants. */
export function merchantOfficeHandlers(office: MerchantOffice): Handlers<typeof staffMerchantEndpoints> {
  return {
    list: async ({ query }) => {
      const { merchants, next } = await office.list(query);
      return { data: { merchants: merchants.map(toRow), next } };
    },
    get: async ({ params: { code } }) => ({ data: toDetail(await office.get(code)) }),
    people: async ({ caller, params: { code } }) => ({ data: toPeople(await office.people(code, caller)) }),
    access: async ({ params: { code } }) => ({ data: toAccess(await office.access(code)) }),
    terms: async ({ params: { code } }) => ({ data: toTerms(await office.terms(code)) }),
    notes: async ({ params: { code } }) => ({
      data: (await office.notes(code)).map(({ id, at, ...note }) => ({
        ...note,
        id: String(id),
        at: at.toISOString(),
      })),
    }),
    addNote: async ({ caller: member, request, params: { code }, body: { text } }) => {
      await office.addNote(code, { member, request }, text);
    },
    actions: async ({ params: { code } }) => ({ data: toActions(await office.actions(code)) }),
    create: async ({ caller: member, request, body }) => {
      const link = await office.create(body, { member, request });
      return { data: { code: body.code, invitation: toLink(body.email, link) } };
    },
    inviteOwner: async ({ caller: member, request, params: { code }, body: { email } }) => ({
      data: toLink(email, await office.inviteOwner(code, { member, request }, email)),
    }),
    unlock: async ({ caller: member, request, params: { code, person_id: id } }) => {
      await office.unlock(code, BigInt(id), { member, request });
    },
    signOut: async ({ caller: member, request, params: { code, person_id: id } }) => {
      await office.signOut(code, BigInt(id), { member, request });
    },
  };
}
