import type { profileEndpoints } from '@hengfu/contract/profile';
import type { Handlers } from '#http/bind.ts';
import type { Guards } from '#http/guards.ts';
import type { ProfileService } from './profile.service.ts';

/** Handles a signed-in user's calls about their own account. */
export function profileHandlers(
  service: ProfileService,
  { cookies }: Guards,
): Handlers<typeof profileEndpoints> {
  return {
    update: async ({ caller, request, body, http }) => {
      const sessionId = cookies.create();
      const isRenewed = await service.update(caller, request, body, sessionId);
      if (isRenewed) cookies.write(http.reply, sessionId);
      return '';
    },
    changePassword: async ({ caller, request, body, http }) => {
      const sessionId = cookies.create();
      await service.changePassword(caller, request, body, sessionId);
      cookies.write(http.reply, sessionId);
      return '';
    },
    confirmPassword: async ({ caller, request, body, http }) => {
      const sessionId = cookies.create();
      await service.confirmPassword(caller, request, body.password, sessionId);
      cookies.write(http.reply, sessionId);
      return '';
    },
    confirmedStatus: async ({ caller, query, http }) => {
      const seconds = await service.confirmedFor(caller, query.seconds);
      if (seconds) http.reply.header('x-retry-after', seconds);
      return { confirmed: seconds !== undefined };
    },
    sessions: async ({ caller }) => ({
      data: (await service.sessions(caller)).map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
      })),
    }),
    endSession: async ({ caller, request, params }) => {
      await service.endSession(caller, request, params.session_id);
    },
    endOtherSessions: async ({ caller, request }) => {
      await service.endOtherSessions(caller, request);
    },
    events: async ({ caller }) => ({ data: await service.events(caller) }),
  };
}
