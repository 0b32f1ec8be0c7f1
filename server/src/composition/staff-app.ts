import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Config } from '#config.ts';
import { root } from '#folders.ts';
import type { Feature } from '#http/bind.ts';
import { drainConnections } from '#http/connection-draining.ts';
import { type ApiDescription, docsRoutes } from '#http/docs.ts';
import { staffEventRoutes } from '#http/events.ts';
import { takeFiles } from '#http/file-bodies.ts';
import { healthRoutes } from '#http/health.ts';
import { createServer } from '#http/server.ts';
import { SessionCookies, staffCookies } from '#http/session-cookies.ts';
import type { SignInLimits } from '#http/sign-in-gate.ts';
import { StaffGuards } from '#http/staff-guards.ts';
import { staffHost } from '#http/staff-host.ts';
import type { Metrics } from '#observability/metrics.ts';
import { version } from '#observability/version.ts';
import { demoStaff, demoStaffPassword } from './demo-sign-ins.ts';
import type { StaffRuntime } from './staff.ts';

const builtBackOffice = join(root, 'backoffice/dist');
const sweepMs = 60_000;

export interface StaffAppOptions {
  config: Pick<
    Config,
    'demo' | 'drainSeconds' | 'staffUrl' | 'staffFactorRequired' | 'title' | 'trustedProxies'
  >;
  staff: StaffRuntime;
  metrics: Metrics;
  log: FastifyBaseLogger;
  /** Replaces the product's own limits, for tests. */
  signInLimits?: SignInLimits;
  /** Folder of the built back office; the output of `npm run build` by default. */
  folder?: string;
}

/** Builds the web side of the back office. It shares no call, no cookie and no session with the merchants' door. */
export async function buildStaffApp(options: StaffAppOptions): Promise<FastifyInstance> {
  const { config, staff, metrics, log } = options;
  const { staffUrl, trustedProxies, demo, title, staffFactorRequired: isFactorRequired } = config;
  const app = await createServer({ appUrl: staffUrl, trustedProxies }, log);
  const isSecure = staffUrl?.startsWith('https:') ?? false;
  const guards = new StaffGuards({
    database: staff.database,
    cookies: new SessionCookies(staff.secrets, isSecure, staffCookies),
    publicUrl: staffUrl,
    isFactorRequired,
    signInLimits: options.signInLimits,
  });
  const features = staff.modules.flatMap(({ endpoints }) => endpoints(guards));
  takeFiles(
    app,
    features.flatMap(({ endpoints }) => endpoints),
  );
  metrics.observe(app, ({ servedMs }) => servedMs);
  healthRoutes(app, staff.database);
  drainConnections(app, config.drainSeconds);
  // Anyone can read the documents. Elsewhere, nobody learns from them what our staff can do.
  if (demo) await docsRoutes(app, [describe(features)], '/api/staff/docs');
  for (const each of features) each.bindTo(app, guards);
  staffEventRoutes(app, guards, staff.feed, metrics);
  sweepWhileOpen(app, staff, log);
  await staffHost(app, guards, {
    folder: options.folder ?? builtBackOffice,
    title,
    version,
    demoSignIn: demo ? { email: demoStaff[0].email, password: demoStaffPassword } : null,
  });
  return app;
}

/** Describes the API of the back office. */
function describe(features: readonly Feature[]): ApiDescription {
  return {
    name: 'staff',
    title: 'Hengfu back office API',
    endpoints: features.flatMap(({ endpoints }) => endpoints),
  };
}

/** Deletes expired rows every minute. Several processes may do so at once. */
function sweepWhileOpen(app: FastifyInstance, { modules }: StaffRuntime, log: FastifyBaseLogger): void {
  const sweep = () =>
    Promise.all(modules.map(({ sweep: each }) => each?.())).catch((error: unknown) =>
      log.warn({ err: error }, 'expired rows of the back office stay for now'),
    );
  const timer = setInterval(() => void sweep(), sweepMs).unref();
  app.addHook('preClose', async () => clearInterval(timer));
}
