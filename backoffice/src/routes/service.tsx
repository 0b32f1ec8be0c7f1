import { createRoute, lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

const pageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/service',
  component: lazyRouteComponent(() => import('../features/service/service-page.tsx'), 'ServicePage'),
});

const healthRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/service/health-part.tsx'), 'HealthPart'),
});

const channelsRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/channels',
  component: lazyRouteComponent(() => import('../features/service/channels-part.tsx'), 'ChannelsPart'),
});

const incidentsRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/incidents',
  component: lazyRouteComponent(
    () => import('../features/service/incidents/incidents-part.tsx'),
    'IncidentsPart',
  ),
});

const contactRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/contact',
  component: lazyRouteComponent(() => import('../features/service/contact-part.tsx'), 'ContactPart'),
});

const ratesRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/rates',
  component: lazyRouteComponent(() => import('../features/service/rates-part.tsx'), 'RatesPart'),
});

const accountsRoute = createRoute({
  getParentRoute: () => pageRoute,
  path: '/accounts',
  component: lazyRouteComponent(
    () => import('../features/service/accounts/accounts-part.tsx'),
    'AccountsPart',
  ),
});

const AuditPart = lazyRouteComponent(() => import('../features/service/audit/audit-part.tsx'), 'AuditPart');

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
  contactRoute,
  ratesRoute,
  accountsRoute,
  auditRoute,
]);
