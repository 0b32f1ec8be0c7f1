import type { testCallEndpoints } from '@hengfu/contract/test-calls';
import type { Handlers } from '#http/bind.ts';
import { callOurselves } from '#http/open-api/own-call.ts';
import type { TestCallService } from './test-calls.service.ts';

/** Handles signed calls that people make in test mode. */
export function testCallHandlers(service: TestCallService): Handlers<typeof testCallEndpoints> {
  return {
    send: async ({ caller, body, request, http }) => {
      const { server } = http.request;
      const composed = { ...body, shownPath: server.maskedUrl(body.path) };
      return { data: await service.send(caller, composed, request, (call) => callOurselves(server, call)) };
    },
  };
}
