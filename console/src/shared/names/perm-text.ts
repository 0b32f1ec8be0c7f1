import { type Perm, perms } from '@hengfu/contract/permissions';
import type { en } from '@hengfu/phrases/en';
import type { Translate } from '@hengfu/ui/language/i18n.ts';

/** Says in one sentence what a permission allows. Phrases name `team.read` as `team_read`; one that is not known keeps its code. */
export function permText(t: Translate, code: string): string {
  const isKnown = perms.some((perm) => perm === code);
  return isKnown ? t(`team.perm.${code.replace('.', '_') as keyof typeof en.team.perm}`) : code;
}

/** Says what permissions allow, sentence by sentence. */
export function permsText(t: Translate, codes: readonly Perm[]): string {
  return codes.map((code) => permText(t, code)).join(' ');
}
