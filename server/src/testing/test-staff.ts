import { join } from 'node:path';
import type { StaffRole } from '@hengfu/contract/staff/permissions';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { openStaff, type StaffRuntime } from '#composition/staff.ts';
import { buildStaffApp } from '#composition/staff-app.ts';
import type { SignInLimits } from '#http/sign-in-gate.ts';
import { Metrics } from '#observability/metrics.ts';
import { readConfig } from '../config.ts';
import { pretendedPlacement } from './placements.ts';
import { wideSignInLimits } from './sign-in-limits.ts';
import { testKey } from './test-database.ts';
import { Visitor } from './visitor.ts';

/** The back office of a test product, on a port of its own. */
export class TestStaff {
  readonly app: FastifyInstance;
  readonly runtime: StaffRuntime;
  readonly url: string;

  private constructor(app: FastifyInstance, runtime: StaffRuntime, url: string) {
    this.app = app;
    this.runtime = runtime;
    this.url = url;
  }

  static async start(
    { ownerUrl, dataDirectory }: { ownerUrl: string; dataDirectory: string },
    {
      env = {},
      signInLimits = wideSignInLimits,
    }: { env?: NodeJS.ProcessEnv; signInLimits?: SignInLimits } = {},
  ): Promise<TestStaff> {
    const config = readConfig({
      APP_KEY: testKey,
      DEMO: '1',
      DATA_DIR: dataDirectory,
      DATABASE_URL: ownerUrl,
      LOG_LEVEL: 'silent',
      DRAIN_SECONDS: '0',
      ...env,
    });
    const log = pino({ level: 'silent' });
    let url = '';
    const settings = { ...config, placement: pretendedPlacement, staffAddress: () => url };
    const runtime = await openStaff(settings, ownerUrl, log);
    await runtime.feed.start();
    const folder = join(import.meta.dirname, 'console');
    const app = await buildStaffApp({
      config,
      staff: runtime,
      metrics: new Metrics(),
      log,
      signInLimits,
      folder,
    });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
    return new TestStaff(app, runtime, url);
  }

  /** Opens a browser that is not signed in. */
  visitor(): Visitor {
    return new Visitor(this.url, 'STAFF-XSRF-TOKEN');
  }

  /** Adds a member of our staff; returns the password. */
  add(name: string, ...roles: StaffRole[]): Promise<string> {
    return this.runtime.accounts.create({ email: `${name}@staff.test`, name, roles }, 'operator:test');
  }

  /** Signs a visitor in with a password; returns the status and the level. */
  async signIn(visitor: Visitor, name: string, password: string) {
    await visitor.get('/api/staff/csrf-cookie');
    return visitor.post('/api/staff/login', { email: `${name}@staff.test`, password });
  }

  /** Adds a member of our staff, and signs in. */
  async member(name: string, ...roles: StaffRole[]): Promise<Visitor> {
    const visitor = this.visitor();
    const { status } = await this.signIn(visitor, name, await this.add(name, ...roles));
    if (status !== 200) throw new Error(`sign-in of ${name}: ${status}`);
    return visitor;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.runtime.close();
  }
}
