import type { StaffPerm } from '@hengfu/contract/staff/permissions';
import type { PhraseKey } from '@hengfu/phrases/phrases';

/** The parts of the page about the service, each with the permission that shows it. */
export const parts = [
  { to: '/service', label: 'officeService.health', perm: 'health.read' },
  { to: '/service/channels', label: 'officeService.channels', perm: 'channels.read' },
  { to: '/service/incidents', label: 'officeService.incidents', perm: 'incidents.read' },
  { to: '/service/announcements', label: 'officeAnnouncements.title', perm: 'announcements.read' },
  { to: '/service/contact', label: 'officeService.contact', perm: 'contact.read' },
  { to: '/service/rates', label: 'officeService.rates', perm: 'rates.read' },
  { to: '/service/audit', label: 'officeService.audit', perm: 'audit.readAll' },
  { to: '/service/accounts', label: 'officeService.accounts', perm: 'staff.read' },
] as const satisfies readonly { to: string; label: PhraseKey; perm: StaffPerm }[];
