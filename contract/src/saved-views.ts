import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { exportLists } from './export-columns.ts';
import { maxFilterLength } from './lists.ts';
import { phrase } from './phrase.ts';

/** Maximum views of one person and list. */
export const maxViews = 50;

/** A list's filters and columns under a name, visible to its owner only. */
const view = {
  list: z.enum(exportLists, phrase('validation.choice')),
  name: z
    .string(phrase('validation.viewName'))
    .trim()
    .min(1, phrase('validation.viewName'))
    .max(60, phrase('validation.tooLong')),
  /** The filters, as in the list's URL. */
  filters: z.record(z.string().max(64), z.string().max(maxFilterLength)),
  /** Keys of the visible columns. */
  columns: z.array(z.string().max(64)).max(64),
};

export const savedView = z.object({ id: z.string(), ...view });
export type SavedView = z.output<typeof savedView>;

export const savedViewEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/saved-views',
    summary: 'Lists the caller’s saved views of all lists by name.',
    access: 'session',
    status: 200,
    reply: z.object({ data: z.array(savedView) }),
    errors: [],
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/merchant/saved-views',
    summary: 'Saves a view, replacing one with the same list and name.',
    access: 'session',
    body: z.strictObject(view),
    status: 201,
    reply: z.object({ data: savedView }),
    errors: [],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/merchant/saved-views/:id',
    summary: 'Removes a view.',
    access: 'session',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    status: 204,
    errors: ['not_found'],
  }),
};
