import { perms } from '@hengfu/contract/permissions';
import type { en } from '@hengfu/phrases/en';
import type { Translate } from '@hengfu/ui/language/i18n.ts';

/** Says what a permission of a merchant's role allows. */
export function permText(code: string, t: Translate): string {
  const perm = perms.find((each) => each === code);
  return perm ? t(`team.perm.${perm.replace('.', '_') as keyof typeof en.team.perm}`) : code;
}
