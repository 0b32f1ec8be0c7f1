import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cashierPage } from '@hengfu/contract/cashier';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '#db/pool.ts';
import type { Person } from '#domain/caller.ts';
import { type BuiltApp, filePath, hostApp, preferredLanguage, readPage, sendPage } from './app-host.ts';
import { sendNotFound } from './error-handler.ts';
import { firstReplies } from './first-calls.ts';
import type { Guards } from './guards.ts';
import { userView } from './user-view.ts';

/** The console's files, and values to embed in its pages. */
export interface ConsoleHostOptions extends BuiltApp {
  version: string;
  demoSignIn: { email: string; password: string } | null;
}

/** Serves the built console and the payer's page. A page of the console embeds its user and its first figures. */
export async function consoleHost(
  app: FastifyInstance,
  guards: Guards,
  options: ConsoleHostOptions,
): Promise<void> {
  const { title, version, demoSignIn: demo } = options;
  if (existsSync(join(options.folder, 'cashier.html'))) {
    const cashier = await readPage(options, 'cashier.html');
    app.get<{ Params: { token: string } }>(cashierPage.path, (request, reply) => {
      if (filePath.test(request.params.token)) return sendNotFound(request, reply);
      const boot = { title, language: preferredLanguage(request) };
      return sendPage(request, reply, cashier, boot, []);
    });
  }
  await hostApp(app, options, async (request, path) => {
    const readAt = Date.now();
    const found = await findUser(guards, request);
    const { user } = found;
    const language = preferredLanguage(request, user?.language);
    const replies = user ? await firstReplies(app, request, { path, code: user.merchant.code }) : {};
    return {
      boot: { ...found, title, version, demo, language, replies, readAt },
      language,
      shown: user === null && !found.isMerchantDue ? '/login' : path,
    };
  });
}

interface FoundUser {
  /** Null if signed out; absent if the database is down. */
  user?: ReturnType<typeof userView> | null;
  /** The user has signed in, and has to choose a merchant next. */
  isMerchantDue?: boolean;
}

/** Returns the signed-in user of a page. */
async function findUser(guards: Guards, request: FastifyRequest): Promise<FoundUser> {
  try {
    const person: Person | undefined = await guards.sessionPerson(request);
    if (person?.level === 'person') return { user: null, isMerchantDue: true };
    // Like GET /api/merchant/user: a session without its second factor must not reveal whose it is.
    return { user: person && person.level !== 'password' ? userView(person) : null };
  } catch (error) {
    if (isDatabaseAway(error)) return {};
    throw error;
  }
}
