import type { ChannelCode } from '@hengfu/contract/channels';
import type {
  ChannelKind,
  IncidentImpact,
  PresentState,
  SampledState,
  StatusComponent,
} from '@hengfu/contract/status';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each component state. */
export const stateLooks: Readonly<Record<PresentState, StatusLook>> = {
  operational: { label: 'status.state.operational', tone: 'good', icon: 'circleCheck' },
  degraded: { label: 'status.state.degraded', tone: 'waiting', icon: 'alert' },
  down: { label: 'status.state.down', tone: 'bad', icon: 'circleCross' },
  tooFew: { label: 'status.state.tooFew', tone: 'calm', icon: 'circleDash' },
  closed: { label: 'status.state.closed', tone: 'calm', icon: 'circle' },
};

/** The overall state in one sentence. */
export const overallLooks: Readonly<Record<SampledState, StatusLook>> = {
  operational: { ...stateLooks.operational, label: 'status.overall.operational' },
  degraded: { ...stateLooks.degraded, label: 'status.overall.degraded' },
  down: { ...stateLooks.down, label: 'status.overall.down' },
};

/** An open incident has the tone of its impact; an ended one is neutral. */
export const openLooks: Readonly<Record<IncidentImpact, StatusLook>> = {
  degraded: { ...stateLooks.degraded, label: 'status.incidents.open' },
  down: { ...stateLooks.down, label: 'status.incidents.open' },
};
export const endedLook: StatusLook = { label: 'status.incidents.over', tone: 'calm', icon: 'check' };

/** Returns the name of a component. */
export function nameOf(component: StatusComponent, t: Translate): string {
  if (component === 'api' || component === 'database' || component === 'jobs')
    return t(`status.component.${component}`);
  const [code, kind] = component.split('.') as [ChannelCode, ChannelKind];
  return t(`status.kind.${kind}`, { channel: t(`channels.${code}`) });
}
