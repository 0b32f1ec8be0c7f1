import type { ContactWay } from '@hengfu/contract/contact';

/** Returns the link that opens a contact; undefined if there is none (WeChat has only names). */
export function linkOf({ kind, value }: Pick<ContactWay, 'kind' | 'value'>): string | undefined {
  switch (kind) {
    case 'email':
      return `mailto:${value}`;
    case 'phone':
      return `tel:${value}`;
    case 'whatsapp':
      return `https://wa.me/${value.slice(1)}`;
    case 'telegram':
      return `https://t.me/${value.slice(1)}`;
    case 'website':
      return value;
    case 'wechat':
      return undefined;
  }
}
