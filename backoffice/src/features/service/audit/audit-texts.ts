import { auditActionOf, recordedActions } from '@hengfu/contract/audit-log';
import { serviceActions, type TrailRow } from '@hengfu/contract/staff/audit-trail';
import type { Translate } from '@hengfu/ui/language/i18n.ts';
import { withChannelNames } from '@hengfu/ui/orders/channel-name.tsx';

type Underscored<T extends string> = T extends `${infer A}.${infer B}` ? `${A}_${B}` : T;
type NamedAction = Underscored<(typeof serviceActions)[number]>;

/** The actions that have a name, of the service and of merchants, as recorded. */
export const namedActions = [...serviceActions, ...recordedActions];

/** Names an action; one that has no name is shown as recorded. */
export function actionName(action: string, t: Translate): string {
  const ofService = serviceActions.find((each) => each === action);
  if (ofService) return t(`officeService.actions.${ofService.replace('.', '_') as NamedAction}`);
  const recorded = recordedActions.find((each) => each === action);
  return recorded ? t(`auditLog.actions.${auditActionOf(recorded)}`) : action;
}

/** Names the subject of an entry, channels as people know them; null without one. */
export function subjectName(
  { subject, subjectName: name }: Pick<TrailRow, 'subject' | 'subjectName'>,
  t: Translate,
): string | null {
  return name ?? (subject === null ? null : withChannelNames(subject, t));
}

/** Names the actor of an entry: a person by name, others by their kind. */
export function actorName({ actor, actorName: name, actorEmail }: TrailRow, t: Translate): string {
  return name ?? actorEmail ?? actorText(actor, t);
}

/** Names somebody who is recorded as actors are: a person by name, others by their kind. */
export function actorText(actor: string, t: Translate): string {
  const [, kind = '', id = ''] = /^(\w+):(\S+)$/.exec(actor) ?? [];
  if (kind === 'operator' || kind === 'job' || kind === 'key')
    return t(`officeService.${kind}`, { name: id });
  return actor === 'nobody' ? t('officeService.nobody') : actor;
}
