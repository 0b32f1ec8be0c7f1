import { contactPageEndpoints } from '@hengfu/contract/staff/contact-page';
import { feature, type Handlers } from '#http/bind.ts';
import type { StaffDeps, StaffModule } from '../module.ts';
import { ContactService } from './contact.service.ts';

/** The contact page in the back office, by the same service as the operators' commands. */
export function contactPageModule({ database }: StaffDeps) {
  return {
    services: {},
    endpoints: () => [feature(contactPageEndpoints, contactPageHandlers(new ContactService(database)))],
  } satisfies StaffModule;
}

function contactPageHandlers(service: ContactService): Handlers<typeof contactPageEndpoints> {
  return {
    list: async () => ({ data: await service.list() }),
    set: async ({ caller: member, request, body }) => {
      const { kind, value, note, noteZhCn, noteVi } = body;
      const notes = {
        ...(note && { en: note }),
        ...(noteZhCn && { 'zh-cn': noteZhCn }),
        ...(noteVi && { vi: noteVi }),
      };
      await service.set({ kind, value, notes }, { member, request });
    },
    remove: async ({ caller: member, request, body }) => {
      await service.remove(body.kind, body.value, { member, request });
    },
  };
}
