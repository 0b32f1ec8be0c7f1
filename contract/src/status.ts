import * as z from 'zod';
import { type ChannelCode, channelCodes } from './channels.ts';
import { endpoint } from './endpoint.ts';
import { instant } from './lists.ts';

/** Parts of the installation itself. */
export const coreComponents = ['api', 'database', 'jobs'] as const;
/** The two uses of a channel, which are monitored separately. */
export const channelKinds = ['collection', 'payout'] as const;
export type ChannelKind = (typeof channelKinds)[number];
export type ChannelComponent = `${ChannelCode}.${ChannelKind}`;
/** A monitored component: `api`, `CN_BANK.payout`. */
export type StatusComponent = (typeof coreComponents)[number] | ChannelComponent;

export const channelComponents: readonly ChannelComponent[] = channelCodes.flatMap((code) =>
  channelKinds.map((kind) => `${code}.${kind}` as const),
);
export const statusComponents: readonly [StatusComponent, ...StatusComponent[]] = [
  ...coreComponents,
  ...channelComponents,
];

/** The states that a sample can have. */
export const sampledStates = ['operational', 'degraded', 'down'] as const;
export type SampledState = (typeof sampledStates)[number];
/** The states that can hold now, including too little to judge by, and a channel closed by the operator. */
export const presentStates = [...sampledStates, 'tooFew', 'closed'] as const;
export type PresentState = (typeof presentStates)[number];
/** The severity of an incident. */
export const incidentImpacts = ['degraded', 'down'] as const;
export type IncidentImpact = (typeof incidentImpacts)[number];
/** The operator's progress with an incident. */
export const incidentStages = ['investigating', 'identified', 'monitoring'] as const;
export type IncidentStage = (typeof incidentStages)[number];

/**
 * The measured figures. `share`: of calls answered without a fault, or of orders that the channel paid (0–1,
 * rounded down). The others are in milliseconds: the median and 95th percentile of their durations, the
 * response time of the database, and the wait of the oldest due job and callback.
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
  /** Of the last hour. Figures that could not be measured are missing. */
  figures: z.partialRecord(z.enum(statusFigures), z.number()),
  /** Measured days, oldest first; a day without samples is missing. */
  days: z.array(statusDay),
});
export type ComponentStatus = z.output<typeof componentStatus>;

export const statusIncident = z.object({
  id: z.string(),
  /** Null if the operator named none. */
  component: z.enum(statusComponents).nullable(),
  impact: z.enum(incidentImpacts),
  /** The operator's text in the caller's language or else in English; null if the samples opened it. */
  title: z.string().nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  /** `unwatched`: the component had no samples for an hour. */
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
  /** When the last sample was taken; null before the first. */
  sampledAt: instant.nullable(),
  /** The time zone of the days, and today's date in it. */
  zone: z.string(),
  today: z.iso.date(),
  overall: z.enum(sampledStates),
  /** The core components, then the channels of the merchant's country. */
  components: z.array(componentStatus),
  /** Incidents of 90 days, newest first. */
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
