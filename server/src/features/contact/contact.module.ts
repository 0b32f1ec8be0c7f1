import { contactEndpoints } from '@hengfu/contract/contact';
import { feature } from '#http/bind.ts';
import type { FeatureModule, ModuleDeps } from '../module.ts';
import { contactHandlers } from './contact.routes.ts';
import { ContactService } from './contact.service.ts';

/** How merchants reach the support team. */
export function contactModule({ database }: ModuleDeps) {
  const contact = new ContactService(database);
  return {
    services: { contact },
    endpoints: () => [feature(contactEndpoints, contactHandlers(contact))],
  } satisfies FeatureModule;
}
