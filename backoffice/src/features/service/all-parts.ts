/** The page about the service with all its parts, which are small: one request fetches them. */
export { AccountsPart } from './accounts/accounts-part.tsx';
export { AnnouncementsPart } from './announcements/announcements-part.tsx';
export { AuditPart } from './audit/audit-part.tsx';
export { ChannelsPart } from './channels-part.tsx';
export { ContactPart } from './contact-part.tsx';
export { HealthPart } from './health-part.tsx';
export { IncidentsPart } from './incidents/incidents-part.tsx';
export { RatesPart } from './rates-part.tsx';
export { ServicePage } from './service-page.tsx';
