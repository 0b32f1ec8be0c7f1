import {
  type AccessRequest,
  type AccessSetting,
  accessRequestEndpoints,
} from '@hengfu/contract/access-requests';
import { useQuery } from '@tanstack/react-query';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';

/** Changes of the access key, the whitelist and callback endpoints that wait for approval. */
export const accessRequestsOptions = reading(accessRequestEndpoints.list);

/** The setting that each change belongs to. */
const settingOf: Readonly<Record<AccessRequest['change']['action'], AccessSetting>> = {
  addKey: 'key',
  newKey: 'key',
  keySettings: 'key',
  whitelist: 'whitelist',
  endpoint: 'endpoint',
};

/** Reads whether changes of a setting need approval, and the one that waits. */
export function useAccessApproval(setting: AccessSetting): {
  needsApproval: boolean;
  waiting: AccessRequest | undefined;
} {
  const { data } = useQuery(accessRequestsOptions);
  useLive(['approvals'], accessRequestsOptions.queryKey);
  const waiting = data?.waiting.find(({ change }) => settingOf[change.action] === setting);
  return { needsApproval: data?.needsApproval ?? false, waiting };
}
