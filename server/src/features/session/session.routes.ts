import { emailAddress, type sessionEndpoints } from '@hengfu/contract/session';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import { userView } from '#http/user-view.ts';
import type { SessionService } from './session.service.ts';

/**
 * Reads the email of a body that is not validated yet, normalized as validation will; empty if it is no
 * email.
 */
function emailIn(body: unknown): string {
  const given = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  return emailAddress.safeParse(given).data ?? '';
}

function unlockCodeIn(body: unknown): string | undefined {
  const given =
    typeof body === 'object' && body !== null && 'unlock_code' in body ? body.unlock_code : undefined;
  return typeof given === 'string' ? given.trim() || undefined : undefined;
}

const remembering = new Set<unknown>([true, 'true', '1', 'on']);

/** Handles signing in and out, with the API of Laravel Fortify and Sanctum. */
export function sessionHandlers(service: SessionService, guards: Guards): Handlers<typeof sessionEndpoints> {
  const { cookies, devices } = guards;
  return {
    csrfCookie: async ({ http }) => {
      const sessionId = cookies.read(http.request);
      if (sessionId) cookies.write(http.reply, sessionId);
      else cookies.renew(http.reply);
    },

    login: {
      before: async ({ body, request, http }) => {
        const email = emailIn(body);
        const origin = { address: request.address, knows: devices.knows(http) };
        await service.countTry(email, origin, unlockCodeIn(body));
      },
      handle: async ({ body, request, http }) => {
        const visitor = await guards.sessionPerson(http.request);
        if (visitor && visitor.level !== 'password') throw new Refusal('already_signed_in');
        // A new id at every change of privilege: a session id planted before becomes worthless.
        const sessionId = cookies.create();
        const { email, password, unlock_code: unlockCode } = body;
        const remember = remembering.has(body.remember);
        const knows = devices.knows(http.request);
        const input = { email, password, unlockCode, remember, knows, replaced: visitor?.sessionId };
        const { isPending, isComplete, userId } = await service.signIn(input, sessionId, request);
        cookies.write(http.reply, sessionId);
        // A password alone does not make the browser known if the merchant requires a second factor.
        if (isComplete) devices.remember(http.request, http.reply, userId);
        return { two_factor: isPending };
      },
    },

    logout: async ({ caller, request, http }) => {
      await service.signOut(caller, request);
      cookies.clear(http.reply);
      devices.forget(http.reply);
    },

    user: async ({ caller }) => ({ data: userView(caller) }),
  };
}
