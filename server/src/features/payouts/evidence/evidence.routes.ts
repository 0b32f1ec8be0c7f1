import { Readable } from 'node:stream';
import { type ImageType, imageTypes } from '@hengfu/contract/images';
import {
  type EvidenceFile,
  type evidenceEndpoints,
  evidenceExtensions,
  evidenceLimits,
} from '@hengfu/contract/staff/evidence';
import { Refusal } from '#domain/refusal.ts';
import type { Handlers } from '#http/bind.ts';
import type { Evidence, PayoutEvidence } from './evidence.service.ts';

/** Handles the calls about the files that show the outcome of a payout. */
export function evidenceHandlers(service: PayoutEvidence): Handlers<typeof evidenceEndpoints> {
  return {
    list: async ({ params }) => ({ data: (await service.list(params.trade_no)).map(toFile) }),
    upload: async ({ caller: member, request, params, query: { name }, http }) => {
      const { body } = http.request;
      const bytes = await received(body instanceof Readable ? body : Readable.from([]));
      return { data: toFile(await service.upload(params.trade_no, { name, bytes }, { member, request })) };
    },
    picture: async ({ params }) => {
      const { type, content } = await service.read(params.trade_no, BigInt(params.evidence_id));
      if (!isImageType(type)) throw new Refusal('not_found');
      return { data: { type, base64: content.toString('base64') } };
    },
    download: async ({ params }) => {
      const { type, content } = await service.read(params.trade_no, BigInt(params.evidence_id));
      // The name of whoever uploaded it could end like that of a program.
      const name = `${params.trade_no}-${params.evidence_id}.${evidenceExtensions[type]}`;
      return { name, type, bytes: content.length, content };
    },
  };
}

/** Receives a file of limited size. Throws `payload_too_large`. */
async function received(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > evidenceLimits.bytes) throw new Refusal('payload_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isImageType(type: string): type is ImageType {
  return imageTypes.some((each) => each === type);
}

function toFile({ id, sha256, requestId, createdAt, ...file }: Evidence): EvidenceFile {
  return {
    ...file,
    id: String(id),
    sha256: sha256.toString('hex'),
    requestId: requestId === null ? null : String(requestId),
    createdAt: createdAt.toISOString(),
  };
}
