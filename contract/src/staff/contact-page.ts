import * as z from 'zod';
import { contactKinds, contactValues } from '../contact.ts';
import { endpoint } from '../endpoint.ts';
import { languages } from '../languages.ts';
import { phrase } from '../phrase.ts';
import { askedReply, otherText, reasonText } from './texts.ts';

const noteLength = 200;
const maxValueLength = 2048;

/** A way to reach the support team, with its notes in all languages. */
export const staffContact = z.object({
  kind: z.enum(contactKinds),
  value: z.string(),
  notes: z.partialRecord(z.enum(languages), z.string()),
});
export type StaffContact = z.output<typeof staffContact>;

const which = {
  kind: z.enum(contactKinds, phrase('validation.choice')),
  value: z
    .string(phrase('validation.required'))
    .trim()
    .min(1, phrase('validation.required'))
    .max(maxValueLength, phrase('validation.tooLong')),
};

export const contactPageEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/staff/contact',
    summary: 'Lists the contact page of all merchants, with the notes in all languages.',
    access: 'staff',
    staffPerm: 'contact.read',
    status: 200,
    reply: z.object({ data: z.array(staffContact) }),
    errors: [],
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/staff/contact',
    summary: 'Asks a second person to add a contact detail, or to replace the notes of an existing one.',
    access: 'staff',
    staffPerm: 'contact.set',
    body: z
      .strictObject({
        ...which,
        note: otherText(noteLength),
        noteZhCn: otherText(noteLength),
        noteVi: otherText(noteLength),
        reason: reasonText,
      })
      .refine(({ kind, value }) => contactValues[kind].safeParse(value).success, {
        path: ['value'],
        message: phrase('officeService.faultContact'),
      }),
    ...askedReply,
    errors: ['request_waiting'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/staff/contact',
    summary: 'Asks a second person to remove a contact detail.',
    access: 'staff',
    staffPerm: 'contact.set',
    body: z.strictObject({ ...which, reason: reasonText }),
    ...askedReply,
    errors: ['not_found', 'request_waiting'],
  }),
};
