import * as z from 'zod';
import { announcementKinds } from '../announcements.ts';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { phrase } from '../phrase.ts';
import { englishText, localizedText, otherText } from './texts.ts';

export const announcementLimits = { textLength: 500, merchants: 200, listed: 200 } as const;
const { textLength, merchants: maxMerchants } = announcementLimits;

/** Planned, shown now, or over: by its time, or because somebody has ended it. */
export const announcementStates = ['planned', 'shown', 'over'] as const;

/** An announcement with its texts in all languages. */
export const staffAnnouncement = z.object({
  id: z.string(),
  kind: z.enum(announcementKinds),
  state: z.enum(announcementStates),
  text: localizedText,
  startsAt: instant,
  /** Null: until somebody ends it. */
  endsAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** Codes of the merchants that read it; null for all. */
  merchants: z.array(z.string()).nullable(),
});
export type StaffAnnouncement = z.output<typeof staffAnnouncement>;

const texts = {
  kind: z.enum(announcementKinds, phrase('validation.choice')),
  text: englishText(textLength),
  textZhCn: otherText(textLength),
  textVi: otherText(textLength),
};

/** Body of a new or changed announcement. `startsAt` null: now; `merchants` empty: all of them. */
export const announcementBody = z
  .strictObject({
    ...texts,
    startsAt: instant.nullable(),
    endsAt: instant.nullable(),
    merchants: z
      .array(z.string().max(64), phrase('validation.choice'))
      .max(maxMerchants, phrase('validation.tooLong')),
  })
  .refine(
    ({ startsAt, endsAt }) =>
      endsAt === null || startsAt === null || Date.parse(startsAt) < Date.parse(endsAt),
    {
      path: ['endsAt'],
      error: phrase('officeAnnouncements.endsFault'),
    },
  );
export type AnnouncementBody = z.output<typeof announcementBody>;

/** A local time as a form has it; empty for none. */
const localTime = z.string().transform((text, context) => {
  if (text === '') return null;
  const at = new Date(text);
  if (!Number.isNaN(at.getTime())) return at.toISOString();
  context.addIssue({ code: 'custom', message: phrase('validation.date') });
  return z.NEVER;
});

/** The fields of the form: times of this browser's zone, and codes separated by spaces, commas or lines. */
export const announcementFields = z
  .strictObject({
    ...texts,
    startsAt: localTime,
    endsAt: localTime,
    merchants: z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  })
  .pipe(announcementBody);

const oneAnnouncement = z.object({ id: z.string().regex(/^[1-9]\d{0,17}$/) });
const writing = { access: 'staff', staffPerm: 'announcements.write' } as const;

export const staffAnnouncementEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/announcements',
    summary: `Lists the latest ${announcementLimits.listed} announcements, newest first, with their texts in all languages.`,
    access: 'staff',
    staffPerm: 'announcements.read',
    status: 200,
    reply: z.object({ data: z.array(staffAnnouncement) }),
    errors: [],
  }),
  add: endpoint({
    ...writing,
    method: 'POST',
    path: '/api/staff/announcements',
    summary: 'Announces something to all merchants, or to some.',
    body: announcementBody,
    status: 201,
    reply: z.object({ data: z.object({ id: z.string() }) }),
    errors: [],
  }),
  change: endpoint({
    ...writing,
    method: 'PUT',
    path: '/api/staff/announcements/:id',
    summary: 'Changes an announcement that is not over. People who dismissed it see it again.',
    params: oneAnnouncement,
    body: announcementBody,
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  end: endpoint({
    ...writing,
    method: 'POST',
    path: '/api/staff/announcements/:id/end',
    summary: 'Ends an announcement now.',
    params: oneAnnouncement,
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
};
