import * as z from 'zod';
import { announcementKinds } from '../announcements.ts';
import { endpoint } from '../endpoint.ts';
import { instant } from '../lists.ts';
import { phrase } from '../phrase.ts';
import { askedReply, englishText, localizedText, otherText, reasonText } from './texts.ts';

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

const content = {
  ...texts,
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  merchants: z
    .array(z.string().max(64), phrase('validation.choice'))
    .max(maxMerchants, phrase('validation.tooLong')),
};
const endsAfterStart = ({ startsAt, endsAt }: { startsAt: string | null; endsAt: string | null }): boolean =>
  endsAt === null || startsAt === null || Date.parse(startsAt) < Date.parse(endsAt);
const endsFault = { path: ['endsAt'], error: phrase('officeAnnouncements.endsFault') };

/** A new or changed announcement. `startsAt` null: now, or once a second person agrees; `merchants` empty: all of them. */
export const announcementBody = z.strictObject(content).refine(endsAfterStart, endsFault);
export type AnnouncementBody = z.output<typeof announcementBody>;

/** Body of a request for a new or changed announcement. */
const askedAnnouncement = z
  .strictObject({ ...content, reason: reasonText })
  .refine(endsAfterStart, endsFault);

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
    reason: reasonText,
  })
  .pipe(askedAnnouncement);

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
    summary: 'Asks a second person to announce something to all merchants, or to some.',
    body: askedAnnouncement,
    ...askedReply,
    errors: ['request_waiting'],
  }),
  change: endpoint({
    ...writing,
    method: 'PUT',
    path: '/api/staff/announcements/:id',
    summary:
      'Asks a second person to change an announcement that is not over. People who dismissed it see it again.',
    params: oneAnnouncement,
    body: askedAnnouncement,
    ...askedReply,
    errors: ['not_found', 'conflict', 'request_waiting'],
  }),
  end: endpoint({
    ...writing,
    method: 'POST',
    path: '/api/staff/announcements/:id/end',
    summary: 'Ends an announcement now, without a second person.',
    params: oneAnnouncement,
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
};
