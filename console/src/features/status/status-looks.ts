import type { ChannelCode } from '@hengfu/contract/channels';
import type {
  ChannelKind,
  IncidentImpact,
  PresentState,
  SampledState,
  StatusComponent,
} from '@hengfu/contract/status';
import type { Translate } from '../../platform/i18n.ts';
import type { StatusLook } from '../../ui/status-tag.tsx';

/** How each state of a component looks, everywhere. */
export const stateLooks: Readonly<Record<PresentState, StatusLook>> = {
  operational: { label: 'status.state.operational', tone: 'good', icon: 'circleCheck' },
  degraded: { label: 'status.state.degraded', tone: 'waiting', icon: 'alert' },
  down: { label: 'status.state.down', tone: 'bad', icon: 'circleCross' },
  tooFew: { label: 'status.state.tooFew', tone: 'calm', icon: 'circleDash' },
  closed: { label: 'status.state.closed', tone: 'calm', icon: 'circle' },
};

/** All of it in one sentence. */
export const overallLooks: Readonly<Record<SampledState, StatusLook>> = {
  operational: { ...stateLooks.operational, label: 'status.overall.operational' },
  degraded: { ...stateLooks.degraded, label: 'status.overall.degraded' },
  down: { ...stateLooks.down, label: 'status.overall.down' },
};

/** An incident that goes on looks as bad as it is; one that is over is calm. */
export const openLooks: Readonly<Record<IncidentImpact, StatusLook>> = {
  degraded: { ...stateLooks.degraded, label: 'status.incidents.open' },
  down: { ...stateLooks.down, label: 'status.incidents.open' },
};
export const overLook: StatusLook = { label: 'status.incidents.over', tone: 'calm', icon: 'check' };

/** What a component is called. */
export function nameOf(component: StatusComponent, t: Translate): string {
  if (component === 'api' || component === 'database' || component === 'jobs')
    return t(`status.component.${component}`);
  const [code, kind] = component.split('.') as [ChannelCode, ChannelKind];
  return t(`status.kind.${kind}`, { channel: t(`channels.${code}`) });
}
