import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '#db/pool.ts';
import { type BuiltApp, hostApp, preferredLanguage } from './app-host.ts';
import type { StaffGuards } from './staff-guards.ts';
import { staffView } from './staff-view.ts';

/** The files of the back office, and values to embed in its pages. */
export interface StaffHostOptions extends BuiltApp {
  version: string;
  demoSignIn: { email: string; password: string } | null;
}

/** Serves the built back office. A page embeds its user, if the session has passed every check of the sign-in. */
export async function staffHost(
  app: FastifyInstance,
  guards: StaffGuards,
  options: StaffHostOptions,
): Promise<void> {
  const { title, version, demoSignIn: demo } = options;
  await hostApp(app, options, async (request, path) => {
    const { user } = await findUser(guards, request);
    const language = preferredLanguage(request, user?.language);
    const boot = { user, title, version, demo, language };
    return { boot, language, shown: user?.level === 'complete' ? path : '/login' };
  });
}

/** Returns the user of a page: null if signed out, undefined if the database is down. */
async function findUser(guards: StaffGuards, request: FastifyRequest) {
  try {
    const member = await guards.sessionMember(request);
    // A session without its second factor must not reveal whose it is.
    return { user: member && member.level !== 'password' ? staffView(member) : null };
  } catch (error) {
    if (isDatabaseAway(error)) return { user: undefined };
    throw error;
  }
}
