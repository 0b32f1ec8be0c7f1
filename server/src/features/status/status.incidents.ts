import type { IncidentStage } from '@hengfu/contract/status';
import type { Database } from '#db/database.ts';
import { writeAudit } from '#domain/audit.sql.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  type Incident,
  insertIncident,
  insertUpdate,
  listIncidents,
  type NewIncident,
  resolveIncident,
  type Words,
} from './status-incidents.sql.ts';

/** The status page shows at most so many. */
export const mostIncidents = 200;

/** Incidents that the operator writes, and its words on those that the samples opened. Every change leaves a trail. */
export class StatusIncidents {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those of the history, newest first. */
  list(): Promise<Incident[]> {
    return this.#database.asSystem((tx) => listIncidents(tx, mostIncidents));
  }

  /** Opens an incident with a first update; answers its number. */
  open(given: NewIncident & { text: Words }, actor: string): Promise<bigint> {
    return this.#database.asSystem(async (tx) => {
      const id = await insertIncident(tx, given);
      await insertUpdate(tx, id, 'investigating', given.text);
      await writeAudit(tx, {
        merchantId: null,
        actor,
        action: 'incident.open',
        subject: String(id),
        after: given,
      });
      return id;
    });
  }

  /** Adds to what was said, also after the end. Throws `not_found`. */
  async update(
    id: bigint,
    given: { stage: IncidentStage | null; text: Words },
    actor: string,
  ): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await insertUpdate(tx, id, given.stage, given.text))) throw new Refusal('not_found');
      await writeAudit(tx, {
        merchantId: null,
        actor,
        action: 'incident.update',
        subject: String(id),
        after: given,
      });
    });
  }

  /** Ends an open one of the operator's with a last word; the samples end theirs. Throws `not_found`. */
  async resolve(id: bigint, text: Words, actor: string): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await resolveIncident(tx, id))) throw new Refusal('not_found');
      await insertUpdate(tx, id, 'resolved', text);
      await writeAudit(tx, {
        merchantId: null,
        actor,
        action: 'incident.resolve',
        subject: String(id),
        after: { text },
      });
    });
  }
}
