import { channelCatalogue } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { Language } from '@hengfu/contract/session';
import {
  channelComponents,
  coreComponents,
  type StatusComponent,
  type StatusIncident,
  type StatusReport,
} from '@hengfu/contract/status';
import type { Database } from '#db/database.ts';
import { mostIncidents } from './status.incidents.ts';
import { worst } from './status.rules.ts';
import { measure, measureAnswerMs } from './status.signals.ts';
import { findLastSample, readClock, readDays } from './status-history.sql.ts';
import { type Incident, listIncidents, type Words } from './status-incidents.sql.ts';

/** Who wants to know: which channels, in which zone and language. */
export interface StatusReader {
  currency: Currency;
  zone: string;
  language: Language;
}

/** How the service does, as one reader may know it. */
export class StatusService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** State is measured now, whatever the samples say: with the workers down there would be none. */
  async report({ currency, zone, language }: StatusReader): Promise<StatusReport> {
    const answerMs = await measureAnswerMs(this.#database);
    return this.#database.asSystem(async (tx) => {
      const shown = componentsOf(currency);
      const measured = (await measure(tx, answerMs)).filter(({ component }) => shown.has(component));
      const days = await readDays(tx, [...shown], zone);
      const all = await listIncidents(tx, mostIncidents);
      const incidents = all.filter(({ component }) => component === null || shown.has(component));
      const { now, today } = await readClock(tx, zone);
      const spoken = incidents.filter(({ source, endedAt }) => source === 'operator' && endedAt === null);
      return {
        asOf: now.toISOString(),
        sampledAt: (await findLastSample(tx))?.toISOString() ?? null,
        zone,
        today,
        overall: worst([...measured.map(({ state }) => state), ...spoken.map(({ impact }) => impact)]),
        components: measured.map((one) => ({ ...one, days: days.get(one.component) ?? [] })),
        incidents: incidents.map((incident) => toView(incident, language)),
      };
    });
  }
}

/** The installation's own, and the channels of the currency's country. */
function componentsOf(currency: Currency): ReadonlySet<StatusComponent> {
  const ofCountry = new Set(
    Object.entries(channelCatalogue)
      .filter(([, channel]) => channel.currency === currency)
      .map(([code]) => code),
  );
  return new Set([
    ...coreComponents,
    ...channelComponents.filter((component) => ofCountry.has(component.split('.')[0] ?? '')),
  ]);
}

function toView(incident: Incident, language: Language): StatusIncident {
  const inLanguage = (words: Words) => words[language] ?? words.en;
  return {
    id: String(incident.id),
    component: incident.component,
    impact: incident.impact,
    title: incident.title && inLanguage(incident.title),
    startedAt: incident.startedAt.toISOString(),
    endedAt: incident.endedAt?.toISOString() ?? null,
    end: incident.end,
    updates: incident.updates.map(({ at, stage, text }) => ({
      at: at.toISOString(),
      stage,
      text: inLanguage(text),
    })),
  };
}
