import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { imageTypeOf, imageTypes } from '../images.ts';
import { instant } from '../lists.ts';
import { phrase } from '../phrase.ts';

/** Limits of the evidence for an outcome: files of a request, bytes of a file, files that are listed. */
export const evidenceLimits = { files: 3, bytes: 5 * 1024 * 1024, nameLength: 200, listed: 50 } as const;

export const evidenceTypes = [...imageTypes, 'application/pdf'] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

/** Detects the type of a file by its first bytes; undefined if it is neither PNG, JPEG nor PDF. */
export function evidenceTypeOf(bytes: Uint8Array): EvidenceType | undefined {
  const isPdf = [...'%PDF-'].every((sign, index) => bytes[index] === sign.charCodeAt(0));
  return isPdf ? 'application/pdf' : imageTypeOf(bytes);
}

/** The endings of files, by their detected type. */
export const evidenceExtensions = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
} as const satisfies Record<EvidenceType, string>;

/** A file that shows the outcome of a payout. */
export const evidenceFile = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(evidenceTypes),
  bytes: z.int(),
  /** In hexadecimal digits, of the file as it is stored. */
  sha256: z.string(),
  /** The request that it belongs to. */
  requestId: z.string().nullable(),
  createdAt: instant,
});
export type EvidenceFile = z.output<typeof evidenceFile>;

export const evidenceId = z.string().regex(/^[1-9]\d{0,17}$/, phrase('validation.evidenceRequired'));

/** The files of a request, as its body names them. */
export const evidenceIds = z
  .array(evidenceId, phrase('validation.evidenceRequired'))
  .min(1, phrase('validation.evidenceRequired'))
  .max(evidenceLimits.files, phrase('validation.evidenceRequired'))
  .refine((ids) => new Set(ids).size === ids.length, phrase('validation.evidenceRequired'));

const ofPayout = z.object({ trade_no: z.string().max(64) });
const oneFile = ofPayout.extend({ evidence_id: evidenceId });
const path = '/api/staff/payouts/:trade_no/evidence';

export const evidenceEndpoints = {
  list: endpoint({
    method: 'GET',
    path,
    summary: `Lists the latest ${evidenceLimits.listed} files that somebody has asked with for the outcome of a payout, oldest first.`,
    access: 'staff',
    staffPerm: 'orders.read',
    params: ofPayout,
    status: 200,
    reply: z.object({ data: z.array(evidenceFile) }),
    errors: ['not_found'],
  }),
  upload: endpoint({
    method: 'POST',
    path,
    summary:
      'Uploads a PNG, JPEG or PDF as the body, to ask with it for the outcome of a payout within a day. Pictures are re-encoded.',
    access: 'staff',
    staffPerm: 'orders.decide',
    params: ofPayout,
    query: z.strictObject({
      name: z
        .string()
        .trim()
        .min(1, phrase('validation.choice'))
        .max(evidenceLimits.nameLength, phrase('validation.choice')),
    }),
    isFileBody: true,
    bodyLimitBytes: evidenceLimits.bytes,
    status: 201,
    reply: z.object({ data: evidenceFile }),
    errors: [
      'not_found',
      'invalid_transition',
      'payload_too_large',
      'upload_stalled',
      'uploads_busy',
      'quota_reached',
      'too_many_requests',
    ],
  }),
  picture: endpoint({
    method: 'GET',
    path: `${path}/:evidence_id/picture`,
    summary: 'Returns a picture among the evidence, in Base64.',
    access: 'staff',
    staffPerm: 'orders.read',
    params: oneFile,
    status: 200,
    reply: z.object({ data: z.object({ type: z.enum(imageTypes), base64: z.string() }) }),
    errors: ['not_found'],
  }),
  download: endpoint({
    method: 'GET',
    path: `${path}/:evidence_id`,
    summary: 'Returns a file of the evidence, always as a download.',
    access: 'staff',
    staffPerm: 'orders.read',
    params: oneFile,
    isFile: true,
    status: 200,
    errors: ['not_found'],
  }),
};
