import { emailAddress } from '@hengfu/contract/session';
import type { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import type { Handlers } from '#http/bind.ts';
import type { StaffGuards } from '#http/staff-guards.ts';
import { staffView } from '#http/staff-view.ts';
import type { StaffService } from './staff.service.ts';
import type { StaffPassword } from './staff-password.ts';
import type { StaffSignIn } from './staff-sign-in.ts';

/** Reads the email of a body that is not validated yet; empty if it is no email. */
function emailIn(body: unknown): string {
  const given = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  return emailAddress.safeParse(given).data ?? '';
}

/** Handles the sign-in of our staff, and their own sessions. */
export function staffHandlers(
  { signIn, staff, password }: { signIn: StaffSignIn; staff: StaffService; password: StaffPassword },
  { cookies }: StaffGuards,
): Handlers<typeof staffSessionEndpoints> {
  return {
    csrfCookie: async ({ http }) => {
      const sessionId = cookies.read(http.request);
      if (sessionId) cookies.write(http.reply, sessionId);
      else cookies.renew(http.reply);
    },
    login: {
      before: ({ body, request }) => signIn.countTry(emailIn(body), request.address),
      handle: async ({ body, request, http }) => {
        // A new id at every change of privilege: a session id planted before becomes worthless.
        const sessionId = cookies.create();
        const replaced = cookies.read(http.request);
        const { email, password: given } = body;
        const level = await signIn.signIn({ email, password: given, replaced }, sessionId, request);
        cookies.write(http.reply, sessionId);
        return { level };
      },
    },
    challenge: async ({ caller, body, request, http }) => {
      const sessionId = cookies.create();
      await signIn.pass(caller, body, sessionId, request);
      cookies.write(http.reply, sessionId);
    },
    bind: async ({ caller }) => ({ data: await signIn.begin(caller) }),
    confirm: async ({ caller, body, request, http }) => {
      const sessionId = cookies.create();
      await signIn.confirm(caller, body.code, sessionId, request);
      cookies.write(http.reply, sessionId);
    },
    logout: async ({ caller, request, http }) => {
      await staff.signOut(caller, request);
      cookies.clear(http.reply);
    },
    user: async ({ caller }) => ({ data: staffView(caller) }),
    language: async ({ caller, body }) => {
      await staff.setLanguage(caller, body.language);
    },
    sessions: async ({ caller }) => ({
      data: (await staff.sessions(caller)).map(({ createdAt, lastSeenAt, ...session }) => ({
        ...session,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
      })),
    }),
    endSession: async ({ caller, params, request }) => {
      await staff.endSession(caller, params.id, request);
    },
    endOtherSessions: async ({ caller, request }) => {
      await staff.endOtherSessions(caller, request);
    },
    changePassword: async ({ caller, body, request, http }) => {
      const sessionId = cookies.create();
      await password.change(caller, request, body, sessionId);
      cookies.write(http.reply, sessionId);
    },
  };
}
