import type { SavedView, savedViewEndpoints } from '@hengfu/contract/saved-views';
import type { Handlers } from '#http/bind.ts';
import type { SavedViewService } from './saved-views.service.ts';

/** Handles the console's calls about saved views. */
export function savedViewHandlers(service: SavedViewService): Handlers<typeof savedViewEndpoints> {
  return {
    list: async ({ caller }) => ({ data: (await service.list(caller)).map(toView) }),
    save: async ({ caller, body }) => ({ data: toView(await service.save(caller, body)) }),
    remove: async ({ caller, params }) => {
      await service.remove(caller, BigInt(params.id));
      return undefined;
    },
  };
}

function toView(row: Awaited<ReturnType<SavedViewService['save']>>): SavedView {
  return { ...row, id: String(row.id), filters: row.filters as SavedView['filters'] };
}
