import type { IncidentStage } from '@hengfu/contract/status';
import type { Database } from '#db/database.ts';
import { fieldsOfActor, ofService, writeAudit } from '#domain/audit.sql.ts';
import type { ServiceActor } from '#domain/caller.ts';
import { Refusal } from '#domain/refusal.ts';
import {
  type Incident,
  insertIncident,
  insertUpdate,
  type LocalizedText,
  listIncidents,
  type NewIncident,
  resolveIncident,
} from './status-incidents.sql.ts';

export type { Incident, LocalizedText };

/** Maximum number of incidents on the status page. */
export const maxIncidents = 200;

/**
 * Manages the incidents that operators and our staff open, and their updates on those that the samples opened. Audits
 * every change.
 */
export class StatusIncidents {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the incidents of the history, newest first. */
  list(): Promise<Incident[]> {
    return this.#database.asSystem((tx) => listIncidents(tx, maxIncidents));
  }

  /** Opens an incident with a first update; returns its id. */
  open(given: NewIncident & { text: LocalizedText }, by: ServiceActor): Promise<bigint> {
    return this.#database.asSystem(async (tx) => {
      const id = await insertIncident(tx, given);
      await insertUpdate(tx, id, 'investigating', given.text);
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'incident.open',
        subject: String(id),
        after: given,
      });
      tx.changed(ofService, 'service');
      return id;
    });
  }

  /** Adds an update, even after the incident has ended. Throws `not_found`. */
  async update(
    id: bigint,
    given: { stage: IncidentStage | null; text: LocalizedText },
    by: ServiceActor,
  ): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await insertUpdate(tx, id, given.stage, given.text))) throw new Refusal('not_found');
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'incident.update',
        subject: String(id),
        after: given,
      });
      tx.changed(ofService, 'service');
    });
  }

  /**
   * Resolves an open incident of the operator with a last update; the samples close their own. Throws
   * `not_found`.
   */
  async resolve(id: bigint, text: LocalizedText, by: ServiceActor): Promise<void> {
    await this.#database.asSystem(async (tx) => {
      if (!(await resolveIncident(tx, id))) throw new Refusal('not_found');
      await insertUpdate(tx, id, 'resolved', text);
      await writeAudit(tx, {
        merchantId: null,
        ...fieldsOfActor(by),
        action: 'incident.resolve',
        subject: String(id),
        after: { text },
      });
      tx.changed(ofService, 'service');
    });
  }
}
