import type { ChannelCode } from '@hengfu/contract/channels';
import { type ChannelKind, coreComponents, type StatusComponent } from '@hengfu/contract/status';
import type { Translate } from '@hengfu/ui/language/i18n.ts';

/** Names a component of the status page: a part of the installation, or one use of a channel. */
export function nameOf(component: StatusComponent, t: Translate): string {
  const core = coreComponents.find((each) => each === component);
  if (core) return t(`status.component.${core}`);
  const [code, kind] = component.split('.') as [ChannelCode, ChannelKind];
  return t(`status.kind.${kind}`, { channel: t(`channels.${code}`) });
}
