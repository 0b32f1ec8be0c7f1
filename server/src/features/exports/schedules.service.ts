import type { CreateSchedule } from '@hengfu/contract/export-schedules';
import { maxSchedules } from '@hengfu/contract/export-schedules';
import { permOfList } from '@hengfu/contract/exports';
import type { Database, MerchantTx } from '#db/database.ts';
import { auditPerson } from '#domain/audit.sql.ts';
import type { Person, RequestInfo } from '#domain/caller.ts';
import type { Exportable } from '#domain/exportable.sql.ts';
import { readGrantOf } from '#domain/own-roles.sql.ts';
import { readableLists } from '#domain/readable-lists.ts';
import { fieldRefusal, Refusal } from '#domain/refusal.ts';
import { isStopped } from '#domain/standing.sql.ts';
import { rangeOf, samplePeriod, withoutTimes } from '#domain/time-filters.ts';
import type { Recurring, Task } from '#jobs/jobs.ts';
import { assertMayRead, chosenColumns, queueExport } from './exports.making.ts';
import { type ExportTask, readNames } from './exports.sql.ts';
import {
  deleteSchedule,
  findDue,
  insertSchedule,
  listSchedules,
  type Schedule,
  takeDue,
} from './schedules.sql.ts';

const task = 'exports.schedule';
export const scheduleRecurring: readonly Recurring[] = [{ task, everySeconds: 30 }];

/** Use cases of scheduled exports. */
export class ExportScheduleService {
  readonly #database: Database;
  readonly #lists: Readonly<Record<ExportTask['list'], Exportable>>;

  constructor(database: Database, lists: Readonly<Record<ExportTask['list'], Exportable>>) {
    this.#database = database;
    this.#lists = lists;
  }

  readonly tasks: Record<string, Task> = {
    [task]: async () => {
      // One period at a time, so that periods missed during downtime are made up for.
      for (let due = await this.#due(); due.length > 0; due = await this.#due())
        for (const { merchant_id: merchantId, id } of due) await this.#run(merchantId, id);
    },
  };

  /** Lists the merchant's schedules of lists that the person may read. */
  async list(person: Person): Promise<{ schedule: Schedule; createdBy: string }[]> {
    const lists = readableLists(person);
    return this.#database.asMerchant(person.home.merchantId, async (tx) => {
      const names = await readNames(tx);
      const found = (await listSchedules(tx)).filter(({ list }) => lists?.includes(list) ?? true);
      return found.map((schedule) => ({
        schedule,
        createdBy: names.get(schedule.created_by) ?? schedule.created_by,
      }));
    });
  }

  /** Creates a schedule. Throws `forbidden` for a list that the person may not read, `validation_failed`. */
  async create(
    person: Person,
    request: RequestInfo,
    body: CreateSchedule,
  ): Promise<{ schedule: Schedule; createdBy: string }> {
    const { name, list, format, language, zone, every } = body;
    assertMayRead(person, list);
    const { check, timeFilters } = this.#lists[list];
    const filters = withoutTimes(body.filters, timeFilters);
    check({ ...filters, ...rangeOf(timeFilters, samplePeriod) });
    const columns = chosenColumns(list, body.columns);
    const { merchantId } = person.home;
    const actor = `user:${person.userId}`;
    const schedule = await this.#database.asMerchant(merchantId, async (tx) => {
      const made = await insertSchedule(tx, {
        name,
        list,
        format,
        language,
        zone,
        every,
        filters,
        columns,
        created_by: actor,
      });
      if (!made) return undefined;
      const subject = String(made.id);
      await auditPerson(tx, person, request, 'export-schedule.create', {
        subject,
        after: { name, list, every },
      });
      tx.changed(merchantId, 'exports');
      return made;
    });
    if (!schedule) throw fieldRefusal('every', 'validation.tooManySchedules', { count: maxSchedules });
    return { schedule, createdBy: person.name };
  }

  /** Removes a schedule. Throws `not_found`. */
  async remove(person: Person, request: RequestInfo, id: bigint): Promise<void> {
    const { merchantId } = person.home;
    await this.#database.asMerchant(merchantId, async (tx) => {
      const removed = await deleteSchedule(tx, id);
      if (!removed) throw new Refusal('not_found');
      assertMayRead(person, removed.list);
      await auditPerson(tx, person, request, 'export-schedule.remove', {
        subject: String(id),
        before: { name: removed.name, list: removed.list, every: removed.every },
      });
      tx.changed(merchantId, 'exports');
    });
  }

  #due() {
    return this.#database.asSystem((tx) => findDue(tx));
  }

  async #run(merchantId: bigint, id: bigint): Promise<void> {
    await this.#database.asMerchant(merchantId, async (tx) => {
      const due = await takeDue(tx, id);
      // The schedule has advanced either way: periods that end during a suspension are not made up for.
      if (!due || (await isStopped(tx, 'scheduledExport', userOf(due.created_by)))) return;
      if (!(await mayStillExport(tx, due))) return;
      const { name, list, format, language, zone, columns, created_by } = due;
      const days = due.firstDay === due.lastDay ? due.firstDay : `${due.firstDay} – ${due.lastDay}`;
      const { timeFilters } = this.#lists[list];
      const range = rangeOf(timeFilters, due);
      if (range) {
        // Earlier versions kept some time filters.
        const kept = withoutTimes(due.filters as Record<string, string>, timeFilters);
        const filters = { ...kept, ...range };
        const request = { list, format, language, zone, columns, created_by, filters, schedule_name: name };
        await queueExport(tx, request, days);
      }
      // Earlier versions accepted lists without a time range. None of those runs has ever written a file.
      else await deleteSchedule(tx, id);
      tx.changed(merchantId, 'exports');
    });
  }
}

/** Whether the roles of a schedule's creator, which may have changed since, still allow such an export. */
async function mayStillExport(tx: MerchantTx, { created_by, list }: Schedule): Promise<boolean> {
  const { perms: held } = await readGrantOf(tx, tx.merchantId, userOf(created_by));
  return held.includes('exports.create') && held.includes(permOfList[list]);
}

/** Returns the id of the user who created a schedule. */
function userOf(createdBy: string): bigint {
  return BigInt(createdBy.slice('user:'.length));
}
