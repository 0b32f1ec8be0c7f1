import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cashierEndpoints, cashierPage } from '@hengfu/contract/cashier';
import { type Language, languages } from '@hengfu/contract/languages';
import { payLinkEndpoints, payLinkPage } from '@hengfu/contract/pay-links';
import { receiptEndpoints, receiptPage } from '@hengfu/contract/receipts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '#db/pool.ts';
import type { Person } from '#domain/caller.ts';
import { languageOf } from '#domain/language.ts';
import {
  type BuiltApp,
  filePath,
  hostApp,
  preferredLanguage,
  readPage,
  readPreload,
  sendPage,
} from './app-host.ts';
import { sendNotFound } from './error-handler.ts';
import { FirstCalls, noReplies } from './first-calls.ts';
import type { Guards } from './guards.ts';
import { replyToFirstCall } from './inner-calls.ts';
import { userView } from './user-view.ts';

/** The console's files, and values to embed in its pages. */
export interface ConsoleHostOptions extends BuiltApp {
  version: string;
  demoSignIn: { email: string; password: string } | null;
  /** Whether test mode is offered: it needs a sandbox bank. */
  hasTestMode: boolean;
}

/** Serves the built console and the payer's page. A page of the console embeds its user and its first figures or rows. */
export async function consoleHost(
  app: FastifyInstance,
  guards: Guards,
  options: ConsoleHostOptions,
): Promise<void> {
  const { title, version, demoSignIn: demo, hasTestMode } = options;
  const firstCalls = new FirstCalls(app);
  await hostPayerPages(app, options);
  await hostApp(app, options, async (request, path) => {
    const readAt = Date.now();
    const found = await findUser(guards, request);
    const { user } = found;
    const language = preferredLanguage(request, user?.language);
    const replies = user ? await firstCalls.replies(request, { path, code: user.merchant.code }) : noReplies;
    return {
      boot: { ...found, title, version, demo, hasTestMode, language, ...replies, readAt },
      language,
      shown: user === null && !found.isMerchantDue ? '/login' : path,
    };
  });
}

/** The pages that payers see, each with the call that it makes first, unless its address has the query parameter `unless`. */
const payerPages: readonly { page: { path: string }; first: { path: string }; unless?: string }[] = [
  { page: cashierPage, first: cashierEndpoints.get },
  { page: payLinkPage, first: payLinkEndpoints.get, unless: 'order' },
  { page: receiptPage, first: receiptEndpoints.get },
];

/** Serves the pages that payers see. Each embeds the reply to its first call, which saves a phone a round trip. */
async function hostPayerPages(app: FastifyInstance, options: ConsoleHostOptions): Promise<void> {
  if (!existsSync(join(options.folder, 'cashier.html'))) return;
  const html = await readPage(options, 'cashier.html');
  const { payerLanguages } = await readPreload(options);
  for (const { page, first, unless } of payerPages)
    app.get<{ Params: { token: string } }>(page.path, async (request, reply) => {
      const { token } = request.params;
      if (filePath.test(token)) return sendNotFound(request, reply);
      const language = payerLanguage(request);
      const url = first.path.replace(':token', encodeURIComponent(token));
      const isFirst = unless === undefined || !Object.hasOwn(request.query as object, unless);
      const headers = { 'accept-language': language };
      const found = isFirst ? await replyToFirstCall(app, request, { url, headers }) : undefined;
      const boot = {
        title: options.title,
        language: preferredLanguage(request),
        ...(found !== undefined && { reply: found }),
      };
      return sendPage(request, reply, html, boot, payerLanguages[language] ?? []);
    });
}

/** Returns the language in which the page will probably be shown; what the payer chose earlier is known to the browser alone. */
function payerLanguage(request: FastifyRequest): Language {
  const { lang } = request.query as { lang?: unknown };
  return languages.find((language) => language === lang) ?? languageOf(request.headers['accept-language']);
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
