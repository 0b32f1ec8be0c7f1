import type { accessRequestEndpoints } from '@hengfu/contract/access-requests';
import type { Handlers } from '#http/bind.ts';
import type { ApprovalReading } from '../approvals.reading.ts';
import type { ApprovalService } from '../approvals.service.ts';
import { toAccessRequests } from './access-requests.view.ts';

/** Handles the console's calls about changes of the access key and of the whitelist that wait. */
export function accessRequestHandlers(
  service: ApprovalService,
  reading: ApprovalReading,
): Handlers<typeof accessRequestEndpoints> {
  return {
    list: async ({ caller }) => {
      const { needsApproval, waiting } = await reading.access(caller);
      return {
        data: {
          needsApproval,
          waiting: waiting.flatMap((request) => toAccessRequests(request, caller.userId)),
        },
      };
    },
    withdraw: async ({ caller, request, params }) => {
      await service.withdraw(caller, request, params.request_no, 'access');
    },
  };
}
