import * as z from 'zod';
import { endpoint } from './endpoint.ts';

/** Ways to reach the service's support team. */
export const contactKinds = ['email', 'phone', 'whatsapp', 'telegram', 'wechat', 'website'] as const;
export type ContactKind = (typeof contactKinds)[number];

/**
 * The format of each kind: an address, E.164 with leading +, a name as the messenger shows it, an https URL.
 */
export const contactValues: Record<ContactKind, z.ZodType<string>> = {
  email: z.email().max(254),
  phone: z.e164(),
  whatsapp: z.e164(),
  telegram: z.string().regex(/^@[A-Za-z]\w{4,31}$/),
  wechat: z.string().regex(/^[A-Za-z][\w-]{5,19}$/),
  website: z.url({ protocol: /^https$/ }).max(2048),
};

export const contactWay = z.object({
  kind: z.enum(contactKinds),
  value: z.string(),
  /** The operator's note, such as office hours, in the caller's language or else in English. */
  note: z.string().nullable(),
});
export type ContactWay = z.output<typeof contactWay>;

export const contactEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/merchant/contact',
    summary: 'Lists ways to contact the support team, preferred first.',
    access: 'session',
    status: 200,
    reply: z.object({ data: z.array(contactWay) }),
    errors: [],
  }),
};
