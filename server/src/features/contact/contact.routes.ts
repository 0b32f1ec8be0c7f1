import type { contactEndpoints } from '@hengfu/contract/contact';
import type { Handlers } from '#http/bind.ts';
import type { ContactService } from './contact.service.ts';

/** Handlers of the support contact endpoints. */
export function contactHandlers(service: ContactService): Handlers<typeof contactEndpoints> {
  return { list: async ({ request }) => ({ data: await service.listFor(request.language) }) };
}
