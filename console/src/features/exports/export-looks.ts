import type { ExportStatus } from '@hengfu/contract/exports';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';

/** Label, tone and icon of each export status. */
export const exportLooks: Readonly<Record<ExportStatus, StatusLook>> = {
  waiting: { label: 'exports.status.waiting', tone: 'waiting', icon: 'circle' },
  exporting: { label: 'exports.status.exporting', tone: 'active', icon: 'circleClock' },
  successful: { label: 'exports.status.successful', tone: 'good', icon: 'circleCheck' },
  failed: { label: 'exports.status.failed', tone: 'bad', icon: 'circleCross' },
};
