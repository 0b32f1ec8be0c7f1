import type { StaffIncident, staffIncidentEndpoints } from '@hengfu/contract/staff/incidents';
import type { Handlers } from '#http/bind.ts';
import type { Incident, LocalizedText, StatusIncidents } from '../status.incidents.ts';

/** Handles the calls of our staff about incidents. */
export function staffIncidentHandlers(service: StatusIncidents): Handlers<typeof staffIncidentEndpoints> {
  return {
    list: async () => ({ data: (await service.list()).map(toRow) }),
    open: async ({ caller: member, request, body }) => {
      const { impact, component } = body;
      const title = translations(body.title, body.titleZhCn, body.titleVi);
      const given = { impact, component, title, text: textOf(body) };
      return { data: { id: String(await service.open(given, { member, request })) } };
    },
    update: async ({ caller: member, request, params, body }) => {
      const given = { stage: body.stage, text: textOf(body) };
      await service.update(BigInt(params.id), given, { member, request });
    },
    resolve: async ({ caller: member, request, params, body }) => {
      await service.resolve(BigInt(params.id), textOf(body), { member, request });
    },
  };
}

function toRow({ id, startedAt, endedAt, updates, ...incident }: Incident): StaffIncident {
  return {
    ...incident,
    id: String(id),
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    updates: updates.map(({ at, ...update }) => ({ ...update, at: at.toISOString() })),
  };
}

interface Texts {
  text: string;
  textZhCn?: string | undefined;
  textVi?: string | undefined;
}

function textOf({ text, textZhCn, textVi }: Texts): LocalizedText {
  return translations(text, textZhCn, textVi);
}

function translations(en: string, chinese?: string, vietnamese?: string): LocalizedText {
  return { en, ...(chinese && { 'zh-cn': chinese }), ...(vietnamese && { vi: vietnamese }) };
}
