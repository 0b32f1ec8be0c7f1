import { createRoute, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const parts = () => import('../features/service/all-parts.ts');

const pageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/service',
  component: lazyRouteComponent(parts, 'ServicePage'),
});

const healthRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/',
  component: lazyRouteComponent(parts, 'HealthPart'),
});

const channelsRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/channels',
  component: lazyRouteComponent(parts, 'ChannelsPart'),
});

const incidentsRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/incidents',
  component: lazyRouteComponent(parts, 'IncidentsPart'),
});

const announcementsRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/announcements',
  component: lazyRouteComponent(parts, 'AnnouncementsPart'),
});

const contactRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/contact',
  component: lazyRouteComponent(parts, 'ContactPart'),
});

const ratesRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/rates',
  component: lazyRouteComponent(parts, 'RatesPart'),
});

const accountsRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/accounts',
  component: lazyRouteComponent(parts, 'AccountsPart'),
});

const AuditPart = lazyRouteComponent(parts, 'AuditPart');

const filters = ['merchant', 'actor', 'action', 'subject', 'from', 'to', 'cursor'] as const;
type AuditSearch = Partial<Record<(typeof filters)[number], string>>;

const auditRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch =>
    Object.fromEntries(
      filters.flatMap((name) => {
        const value = search[name];
        return typeof value === 'string' && value !== '' ? [[name, value]] : [];
      }),
    ),
  component: Audit,
});

function Audit() {
  const query = auditRoute.useSearch();
  const navigate = useNavigate();
  return <AuditPart query={query} change={(search) => void navigate({ to: '/service/audit', search })} />;
}

/** The page about the service, with its parts. */
export const serviceRoute = pageRoute.addChildren([
  healthRoute,
  channelsRoute,
  incidentsRoute,
  announcementsRoute,
  contactRoute,
  ratesRoute,
  accountsRoute,
  auditRoute,
]);
