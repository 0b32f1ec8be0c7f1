import type { ExportSchedule, exportScheduleEndpoints } from '@hengfu/contract/export-schedules';
import type { ExportRow, exportEndpoints } from '@hengfu/contract/exports';
import type { Handlers } from '#http/bind.ts';
import { manifestText } from './export-file.ts';
import type { ExportService, NamedExport } from './exports.service.ts';
import type { ExportScheduleService } from './schedules.service.ts';

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Handlers of the scheduled export endpoints. */
export function exportScheduleHandlers(
  service: ExportScheduleService,
): Handlers<typeof exportScheduleEndpoints> {
  return {
    list: async ({ caller }) => ({ data: (await service.list(caller)).map(toSchedule) }),
    create: async ({ caller, request, body }) => ({
      data: toSchedule(await service.create(caller, request, body)),
    }),
    remove: async ({ caller, request, params }) => {
      await service.remove(caller, request, BigInt(params.id));
      return undefined;
    },
  };
}

function toSchedule({
  schedule,
  createdBy,
}: Awaited<ReturnType<ExportScheduleService['create']>>): ExportSchedule {
  const { id, name, list, format, zone, every } = schedule;
  return {
    id: String(id),
    name,
    list,
    format,
    zone,
    every,
    createdBy,
    filters: schedule.filters as Record<string, string>,
    nextAt: schedule.next_at.toISOString(),
  };
}

/** Handlers of the export endpoints. */
export function exportHandlers(service: ExportService): Handlers<typeof exportEndpoints> {
  return {
    create: async ({ caller, request, body }) => ({
      data: toRow(await service.create(caller, request, body)),
    }),
    list: async ({ caller, query }) => {
      const { rows, sumMinor: _none, at, ...page } = await service.list(caller, query);
      return { ...page, data: rows.map(toRow), at: at.toISOString() };
    },
    cancel: async ({ caller, request, params }) => ({
      data: toRow(await service.cancel(caller, request, params.export_no)),
    }),
    retry: async ({ caller, request, params }) => ({
      data: toRow(await service.retry(caller, request, params.export_no)),
    }),
    file: async ({ caller, params }) => {
      const { task, bytes, content } = await service.file(caller, params.export_no);
      return { name: task.file_name, type: mediaTypes[task.format], bytes, content };
    },
    manifest: async ({ caller, params }) => {
      const { task, lines } = await service.manifest(caller, params.export_no);
      const content = Buffer.from(manifestText(task, lines));
      const name = `${task.file_name}.manifest.txt`;
      return { name, type: 'text/plain; charset=utf-8', bytes: content.length, content };
    },
  };
}

function toRow({ task, createdBy }: NamedExport): ExportRow {
  const { export_no, list, format, status, zone, reason } = task;
  return {
    export_no,
    list,
    format,
    status,
    zone,
    reason,
    createdBy,
    fileName: task.file_name,
    filters: task.filters as Record<string, string>,
    scheduleName: task.schedule_name,
    rows: Number(task.written_rows),
    bytes: task.bytes === null ? null : Number(task.bytes),
    sha256: task.sha256?.toString('hex') ?? null,
    sums: task.sums as ExportRow['sums'],
    createdAt: task.created_at.toISOString(),
    finishedAt: task.finished_at?.toISOString() ?? null,
    expiresAt: task.file_key === null ? null : (task.expires_at?.toISOString() ?? null),
  };
}
