import * as z from 'zod';
import { type ChannelCode, channelCodes } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';

/** Parts of the installation itself. */
export const coreComponents = ['api', 'database', 'jobs'] as const;
/** The two ways of using a channel; each is watched by itself. */
export const channelKinds = ['collection', 'payout'] as const;
export type ChannelKind = (typeof channelKinds)[number];
export type ChannelComponent = `${ChannelCode}.${ChannelKind}`;
/** What is watched: `api`, `CN_BANK.payout`. */
export type StatusComponent = (typeof coreComponents)[number] | ChannelComponent;

export const channelComponents: readonly ChannelComponent[] = channelCodes.flatMap((code) =>
  channelKinds.map((kind) => `${code}.${kind}` as const),
);
export const statusComponents: readonly [StatusComponent, ...StatusComponent[]] = [
  ...coreComponents,
  ...channelComponents,
];

/** What a sample can find. */
export const sampledStates = ['operational', 'degraded', 'down'] as const;
export type SampledState = (typeof sampledStates)[number];
/** What holds now: also that there is too little to judge by, or that the operator has closed the channel. */
export const presentStates = [...sampledStates, 'tooFew', 'closed'] as const;
export type PresentState = (typeof presentStates)[number];
/** How bad an incident is. */
export const incidentImpacts = ['degraded', 'down'] as const;
export type IncidentImpact = (typeof incidentImpacts)[number];
/** How far the operator is with an incident. */
export const incidentStages = ['investigating', 'identified', 'monitoring'] as const;
export type IncidentStage = (typeof incidentStages)[number];

/**
 * What is measured. `share` of calls answered without a fault, of orders that the channel paid (0–1, rounded down);
 * the others in milliseconds: how long half and 95 % of them took at the most, how long the database takes to answer,
 * how long the oldest due job and callback wait.
 */
export const statusFigures = ['share', 'medianMs', 'p95Ms', 'answerMs', 'waitMs', 'callbackWaitMs'] as const;

/** Days of history. */
export const historyDays = 90;

/** The measured minutes of one day in the reader's zone. */
const statusDay = z.object({
  day: z.iso.date(),
  measured: z.number().int(),
  degraded: z.number().int(),
  down: z.number().int(),
});
export type StatusDay = z.output<typeof statusDay>;

export const componentStatus = z.object({
  component: z.enum(statusComponents),
  state: z.enum(presentStates),
  /** Of the last hour. Those that could not be measured are missing. */
  figures: z.partialRecord(z.enum(statusFigures), z.number()),
  /** Days that were measured; one that is missing was not. Oldest first. */
  days: z.array(statusDay),
});
export type ComponentStatus = z.output<typeof componentStatus>;

export const statusIncident = z.object({
  id: z.string(),
  /** Null: the operator named none. */
  component: z.enum(statusComponents).nullable(),
  impact: z.enum(incidentImpacts),
  /** The operator's words in the caller's language or else in English; null where the samples opened it. */
  title: z.string().nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  /** `unwatched`: for an hour there was nothing to judge by. */
  end: z.enum(['recovered', 'unwatched', 'resolved']).nullable(),
  /** Newest first. `stage` null: a note. */
  updates: z.array(
    z.object({
      at: instant,
      stage: z.enum([...incidentStages, 'resolved']).nullable(),
      text: z.string(),
    }),
  ),
});
export type StatusIncident = z.output<typeof statusIncident>;

export const statusReport = z.object({
  asOf: instant,
  /** When state was last written into the history; null: never yet. */
  sampledAt: instant.nullable(),
  /** The zone of the days, and today there. */
  zone: z.string(),
  today: z.iso.date(),
  overall: z.enum(sampledStates),
  /** The installation's own, then the channels of the merchant's country. */
  components: z.array(componentStatus),
  /** Of 90 days, newest first. */
  incidents: z.array(statusIncident),
});
export type StatusReport = z.output<typeof statusReport>;

export const statusEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/merchant/status',
    summary: 'Returns the status of the service now and over the last 90 days, with incidents.',
    access: 'session',
    status: 200,
    reply: z.object({ data: statusReport }),
    errors: [],
  }),
};
