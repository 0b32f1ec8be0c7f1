import { channelCatalogue } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import {
  channelComponents,
  coreComponents,
  type StatusComponent,
  type StatusIncident,
  type StatusReport,
} from '@hengfu/contract/status';
import type { Database } from '#db/database.ts';
import { maxIncidents } from './status.incidents.ts';
import { worst } from './status.rules.ts';
import { measure, measureAnswerMs } from './status.signals.ts';
import { findLastSample, readClock, readDays } from './status-history.sql.ts';
import { type Incident, type LocalizedText, listIncidents } from './status-incidents.sql.ts';

/** The reader of a report: the currency determines the channels, the zone the days. */
export interface StatusReader {
  currency: Currency;
  zone: string;
  language: Language;
}

/** Reports the status of the service to one reader. */
export class StatusService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Measures the current state instead of reading it from the samples: with the workers down there would be
   * none.
   */
  async report({ currency, zone, language }: StatusReader): Promise<StatusReport> {
    const answerMs = await measureAnswerMs(this.#database);
    return this.#database.asSystem(async (tx) => {
      const shown = componentsOf(currency);
      const measured = (await measure(tx, answerMs)).filter(({ component }) => shown.has(component));
      const days = await readDays(tx, [...shown], zone);
      const all = await listIncidents(tx, maxIncidents);
      const incidents = all.filter(({ component }) => component === null || shown.has(component));
      const { now, today } = await readClock(tx, zone);
      const operatorIncidents = incidents.filter(
        ({ source, endedAt }) => source === 'operator' && endedAt === null,
      );
      return {
        asOf: now.toISOString(),
        sampledAt: (await findLastSample(tx))?.toISOString() ?? null,
        zone,
        today,
        overall: worst([
          ...measured.map(({ state }) => state),
          ...operatorIncidents.map(({ impact }) => impact),
        ]),
        components: measured.map((one) => ({ ...one, days: days.get(one.component) ?? [] })),
        incidents: incidents.map((incident) => toView(incident, language)),
      };
    });
  }
}

/** Returns the core components and the channels of the currency's country. */
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
  const inLanguage = (text: LocalizedText) => text[language] ?? text.en;
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
