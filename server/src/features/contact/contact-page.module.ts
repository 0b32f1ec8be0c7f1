import { contactPageEndpoints } from '@hengfu/contract/staff/contact-page';
import { feature, type Handlers } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { ContactRequests, contactPageEffects } from './contact.requests.ts';
import { ContactService } from './contact.service.ts';

/** The contact page in the back office. Two people change it, and so do the operators' commands. */
export function contactPageModule({ database, requests }: StaffDeps) {
  const contactRequests = new ContactRequests(database, requests);
  return {
    services: { contactRequests },
    endpoints: () => [
      feature(contactPageEndpoints, contactPageHandlers(new ContactService(database), contactRequests)),
    ],
    requests: { contactPage: contactPageEffects },
  } satisfies StaffModule;
}

function contactPageHandlers(
  service: ContactService,
  requests: ContactRequests,
): Handlers<typeof contactPageEndpoints> {
  const asked = (request: bigint | undefined) => {
    // Only an operator acts alone.
    if (request === undefined) throw new Error('a contact was not asked for');
    return { data: { request: String(request) } };
  };
  return {
    list: async () => ({ data: await service.list() }),
    set: async ({ caller: member, request, body }) => {
      const { kind, value, note, noteZhCn, noteVi, reason } = body;
      const notes = {
        ...(note && { en: note }),
        ...(noteZhCn && { 'zh-cn': noteZhCn }),
        ...(noteVi && { vi: noteVi }),
      };
      return asked(await requests.askToSet({ kind, value, notes }, { member, request }, reason));
    },
    remove: async ({ caller: member, request, body: { reason, ...way } }) =>
      asked(await requests.askToRemove(way, { member, request }, reason)),
  };
}
