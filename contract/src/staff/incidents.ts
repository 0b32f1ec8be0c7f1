import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { phrase } from '../phrase.ts';
import { incidentImpacts, incidentStages, statusComponents } from '../status.ts';
import { englishText, localizedText, otherText } from './texts.ts';

const [titleLength, textLength] = [120, 1000];

/** An incident with its texts in all languages. */
export const staffIncident = z.object({
  id: z.string(),
  source: z.enum(['samples', 'operator']),
  component: z.enum(statusComponents).nullable(),
  impact: z.enum(incidentImpacts),
  /** Null if the samples opened it. */
  title: localizedText.nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  end: z.enum(['recovered', 'unwatched', 'resolved']).nullable(),
  /** Newest first. `stage` null: a note. */
  updates: z.array(
    z.object({ at: instant, stage: z.enum([...incidentStages, 'resolved']).nullable(), text: localizedText }),
  ),
});
export type StaffIncident = z.output<typeof staffIncident>;

const update = {
  text: englishText(textLength),
  textZhCn: otherText(textLength),
  textVi: otherText(textLength),
};

/** A choice of a form; its empty option means none. */
function orNone<const V extends readonly [string, ...string[]]>(values: V) {
  return z
    .union([z.literal(''), z.enum(values)], phrase('validation.choice'))
    .transform((value) => (value === '' ? null : (value as V[number])));
}

const oneIncident = z.object({ id: z.string().regex(/^\d{1,18}$/) });

export const staffIncidentEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/incidents',
    summary: 'Lists the incidents of the last 90 days, newest first, with their texts in all languages.',
    access: 'staff',
    staffPerm: 'incidents.read',
    status: 200,
    reply: z.object({ data: z.array(staffIncident) }),
    errors: [],
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/staff/incidents',
    summary: 'Reports an incident on the status page of all merchants.',
    access: 'staff',
    staffPerm: 'incidents.write',
    body: z.strictObject({
      impact: z.enum(incidentImpacts, phrase('validation.choice')),
      component: orNone(statusComponents),
      title: englishText(titleLength),
      titleZhCn: otherText(titleLength),
      titleVi: otherText(titleLength),
      ...update,
    }),
    status: 201,
    reply: z.object({ data: z.object({ id: z.string() }) }),
    errors: [],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/staff/incidents/:id/updates',
    summary: 'Posts an update to an incident, even one that was opened automatically, or has ended.',
    access: 'staff',
    staffPerm: 'incidents.write',
    params: oneIncident,
    body: z.strictObject({ stage: orNone(incidentStages), ...update }),
    status: 204,
    errors: ['not_found'],
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/api/staff/incidents/:id/resolution',
    summary: 'Resolves an open incident that was opened by hand, with a last update.',
    access: 'staff',
    staffPerm: 'incidents.write',
    params: oneIncident,
    body: z.strictObject(update),
    status: 204,
    errors: ['not_found'],
  }),
};
